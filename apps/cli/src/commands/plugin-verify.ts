import { judgeBundle, parseTrustPolicy, trustLimits, type Verdict } from "@gatehouse/bundle/verify";
import type { Report } from "@gatehouse/command-line";
import { defineCommand } from "../command.ts";
import { readInput } from "../files/read-input.ts";
import { parseTimeOption } from "../parse-time-option.ts";
import { bundleArgument, placeOfBundle } from "../plugins/bundle-argument.ts";
import { verdictLines } from "../plugins/describe-checks.ts";
import { manifestLines } from "../plugins/describe-manifest.ts";
import { asJson } from "../server/list-all.ts";

const topic = "plugin verify";

export const pluginVerify = defineCommand({
  name: topic,
  summary: "judge a bundle by a trust policy, as a server would",
  about: [
    "Runs every check that a server runs when it starts, with the same engine, and shows what was expected and what was found; exit code 1 if the bundle would be rejected. It reads the two files and the policy, changes nothing and asks no server.",
    "Use it as a publisher before handing a bundle out, and as an operator before placing it.",
  ],
  examples: [
    { why: "Judge a bundle", run: "gatehouse plugin verify release/acme-hello --trust trust.json" },
    {
      why: "Will it still be accepted next year",
      run: "gatehouse plugin verify release/acme-hello --trust trust.json --at 2027-06-01",
    },
  ],
  arguments: { bundle: bundleArgument },
  flags: {
    trust: { value: "FILE", about: "The trust policy: the file that SERVICE_PLUGIN_TRUST names.", required: true },
    at: { value: "TIME", about: "Judge as of this moment: 2027-06-01, or 2027-06-01T08:30:00Z. Without it, now." },
  },
  run: async (given) => {
    const now = given.at === undefined ? Date.now() : parseTimeOption(given.at, "--at", topic);
    const policy = parseTrustPolicy(await readInput(given.trust, { what: "--trust", topic, most: trustLimits.bytes }));
    return describe(given.bundle, await judgeBundle({ ...placeOfBundle(given.bundle), policy, now }));
  },
});

function describe(path: string, verdict: Verdict): Report {
  const checks = verdict.checks.map(asJson);
  if (!verdict.accepted) {
    const { refusal } = verdict;
    return {
      ok: false,
      lines: [`${path} is rejected.`, ...verdictLines(verdict.checks, refusal)],
      json: { bundle: path, accepted: false, refusal: { ...refusal }, checks },
    };
  }
  const { manifest, artifactSha256, payloadSha256, signers } = verdict.bundle;
  return {
    ok: true,
    lines: [
      `${path} is accepted: ${manifest.id} ${manifest.version} by ${manifest.publisher}.`,
      ...manifestLines(manifest, signers),
      ...verdictLines(verdict.checks, null),
    ],
    json: {
      bundle: path,
      accepted: true,
      refusal: null,
      checks,
      manifest: asJson(manifest),
      artifactSha256,
      payloadSha256,
      signers: [...signers],
    },
  };
}

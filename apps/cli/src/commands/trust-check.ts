import { parseTrustPolicy, trustLimits } from "@gatehouse/bundle/verify";
import { count } from "@gatehouse/command-line";
import { defineCommand } from "../command.ts";
import { readInput } from "../files/read-input.ts";
import { trustLines } from "../plugins/describe-trust.ts";
import { viewPolicy } from "../plugins/view-policy.ts";
import { asJson } from "../server/list-all.ts";

const topic = "trust check";

export const trustCheck = defineCommand({
  name: topic,
  summary: "check a trust policy before a server reads it",
  about: [
    "Reads a trust policy exactly as the server does and shows what it allows: publishers, their keys and until when these are valid, the ids they may use, and the most their plugins may ask for. A server does not start with a policy that is not valid: check it first. No server is asked.",
    "It warns of keys that are revoked, expired or expire within 30 days, and of publishers of whom nothing would be accepted; warnings do not change the exit code.",
  ],
  examples: [
    { why: "Check a policy before using it", run: "gatehouse trust check trust.json" },
    { why: "Watch for keys that expire, in a script", run: "gatehouse trust check trust.json --json" },
  ],
  arguments: { file: { value: "FILE", about: "The trust policy: the file that SERVICE_PLUGIN_TRUST names." } },
  flags: {},
  run: async ({ file }) => {
    const policy = parseTrustPolicy(await readInput(file, { what: "FILE", topic, most: trustLimits.bytes }));
    const { publishers, revoked, warnings } = viewPolicy(policy, Date.now());
    return {
      ok: true,
      lines: [
        `${file} is valid: ${count(publishers.length, "publisher")} may publish for the server that reads it.`,
        ...trustLines(publishers, revoked),
        ...warnings.map((warning) => `  Warning: ${warning}.`),
      ],
      json: { file, publishers: publishers.map(asJson), revoked: asJson(revoked), warnings: [...warnings] },
    };
  },
});

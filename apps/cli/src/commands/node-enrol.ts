import { createHash } from "node:crypto";
import { shortTime, UsageError } from "@gatehouse/command-line";
import { enrolLine, parseEnrolCode, shellWord } from "@gatehouse/channel";
import { agentArchitectures, sha256Hex } from "@gatehouse/contract";
import {
  agentBinariesRoute,
  createEnrolmentsRoute,
  enrolmentLifetimes,
  enrolmentsAtOnce,
} from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { readBuiltDigests } from "../nodes/built-digests.ts";
import { chooseDigest, digestWords } from "../nodes/choose-digest.ts";
import { parseDuration } from "../parse-duration.ts";
import { callWithProof, openOwnSession } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";

const topic = "node enrol";

export const nodeEnrol = defineCommand({
  name: topic,
  summary: "print the line that enrols a host",
  about: [
    "Makes a one-time code and prints one line for it, to be run on the host. The line downloads the agent from the server, checks its digest, and only then runs it; no script of the server runs as root. A line enrols one host, once. Only the lines stand on standard output; they hold secrets until they are used or expire.",
    "The digest in the line is the one this command line was built with. If the server serves another agent, nothing is made and you are told both (cli.digest_differs). A command line that was built without an agent needs --digest, or --trust-server-digest to take the server's word.",
    "A new host starts as monitor: nothing can be changed on it until its own root says so. After the line has run, compare the last digits and the four words that the host printed with those of gatehouse node show NODE.",
    "It needs the scope node:admin, and a session whose password was proved in the last five minutes: if that is longer ago, you are asked for it. A token can never enrol.",
  ],
  examples: [
    { why: "One host, within 15 minutes", run: "gatehouse node enrol --name web-1 --tag web" },
    { why: "Thirty hosts, within two hours, for a script", run: "gatehouse node enrol --count 30 --expires 2h --json" },
    {
      why: "A server whose certificate is of one's own authority",
      run: "gatehouse node enrol --ca /etc/ssl/our-ca.pem",
    },
  ],
  flags: {
    count: { value: "N", about: `How many codes, 1 to ${enrolmentsAtOnce}. Without it, one.` },
    tag: { value: "TAG", about: "A tag of the new nodes; several with commas or by repeating it.", list: true },
    name: { value: "NAME", about: "What the node is called. Without it, as its host is; only for one code." },
    expires: { value: "TIME", about: "How long a code can be used, from 1m to 1d: 30m, 2h. Without it, 15m." },
    arch: { value: "ARCH", about: "What the host's processor is. Without it, x64.", choices: agentArchitectures },
    ca: { value: "FILE", about: "A file on the host that holds the authority of the server's certificate." },
    digest: { value: "SHA256", about: "The agent's digest, from the release notes, instead of the built-in one." },
    "trust-server-digest": { about: "Take the server's word for the digest when none was built in." },
    ...passwordFlags,
  },
  run: async (given, surroundings) => {
    const { arch = "x64", name, tag, ca } = given;
    const count = parseCount(given.count ?? "1");
    if (count > 1 && name !== undefined) throw new UsageError("--name is for one code; leave out --count", topic);
    if (given.digest !== undefined && !sha256Hex.safeParse(given.digest).success) {
      throw new UsageError("--digest takes 64 of 0-9 and a-f", topic);
    }
    if (ca !== undefined) checkWord(ca);
    const expiresInSeconds = given.expires === undefined ? undefined : lifetime(given.expires);
    const connection = await openOwnSession(surroundings);
    const { data: binaries } = await connection.call(agentBinariesRoute);
    // Before a code is made: one that nobody can use would only lie about.
    const { sha256, from } = chooseDigest({
      arch,
      built: readBuiltDigests(),
      served: binaries.items,
      given: given.digest,
      trustsServer: given["trust-server-digest"] === true,
    });
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 1);
    const { data } = await callWithProof({ connection, passwords }, createEnrolmentsRoute, {
      body: { count, name, tags: tag === undefined ? undefined : [...new Set(tag)], expiresInSeconds },
    });
    const items = data.items.map((item) => {
      const { url } = parseEnrolCode(digestOf, item.code);
      return { ...item, line: enrolLine({ url, arch, sha256, code: item.code, ca }) };
    });
    const until = items[0]?.expiresAt ?? null;
    return {
      ok: true,
      lines: items.map(({ line }) => line),
      notes: [
        count === 1
          ? "Run this line on the host, in a directory that you may write. It enrols one host, once."
          : `Run each of these ${count} lines on a host of its own, in a directory that you may write. Each enrols one host, once.`,
        `  until   ${shortTime(until)}`,
        `  agent   ${binaries.version} for ${arch}, sha256 ${sha256}`,
        `  ${digestWords[from]}`,
        `  revoke  gatehouse node enrolments --revoke ${count === 1 ? items[0]?.id : "ID"}`,
      ],
      json: { items: items.map(asJson), agent: { version: binaries.version, arch, sha256, digestFrom: from } },
    };
  },
});

function parseCount(text: string): number {
  const count = /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : Number.NaN;
  if (count <= enrolmentsAtOnce) return count;
  throw new UsageError(`--count must be a whole number from 1 to ${enrolmentsAtOnce}; found ${text}`, topic);
}

function lifetime(text: string): number {
  const { least, most } = enrolmentLifetimes;
  return parseDuration(text, { option: "--expires", topic, least, most });
}

function checkWord(file: string): void {
  try {
    shellWord(file);
  } catch {
    throw new UsageError(`--ca does not take ${JSON.stringify(file)}: write the path of a file on the host`, topic);
  }
}

function digestOf(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

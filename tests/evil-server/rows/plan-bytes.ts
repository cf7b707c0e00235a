import { byteForm } from "@gatehouse/base";
import { headerDigest, inputDigest, planDigestOf, stateDigest } from "@gatehouse/plan";
import { madeHeader, type MadePlan, type MadeTask, makePlan, makeSection } from "../../support/signed-task.ts";
import type { Found } from "./found.ts";
import { fileAt, planFor, sha256, taskOf, usualChange, usualOperations } from "./made-task.ts";
import type { RowFamily, RowGround } from "./row.ts";
import type { RowHost } from "./row-host.ts";

type Spoil = (host: RowHost, plan: MadePlan) => Partial<MadeTask> | Promise<Partial<MadeTask>>;

/** A change that Ada has approved, and then something of it is put in place of what she saw; each on a host of its own. */
async function spoilt({ open }: RowGround, ...spoils: readonly Spoil[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const spoil of spoils) {
    const host = await open();
    const plan = await planFor(host);
    found.push(await host.change({ ...taskOf(host, plan), ...(await spoil(host, plan)) }));
  }
  return found;
}

/** A whole plan that is approved as it is: only what it says is wrong. */
async function approved(
  { open }: RowGround,
  ...plans: readonly ((host: RowHost) => MadePlan | Promise<MadePlan>)[]
): Promise<Found[]> {
  const found: Found[] = [];
  for (const make of plans) {
    const host = await open();
    found.push(await host.change(taskOf(host, await make(host))));
  }
  return found;
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");
const bytes = (words: string) => new Uint8Array(Buffer.from(words));
const ownOf = ({ digests, index }: MadePlan) => digests.subarray(32 * index, 32 * (index + 1));

/** The section of the usual plan, with something more or other in it. */
const section = (host: RowHost, more: object): MadePlan => {
  const good = makeSection({ nodeId: host.nodeId, operations: usualOperations });
  return makePlan({ nodeId: host.nodeId, operations: [], section: { ...good, ...more } });
};

/** An operation that is none, beside the precondition that it would need. */
const operation = (host: RowHost, one: object): MadePlan =>
  section(host, { operations: [one], preconditions: [{ subject: "file:/etc/nginx/nginx.conf", state: "absent" }] });

const laterKinds = ["shell.run", "disk.erase", "__proto__", "toString"];
const hidden = ["\u202e", "\u200b", "\u0000", "\u001b[31m", "\r", "\ufeff", "\u2028"];

export const planBytes: RowFamily = {
  name: "plan bytes",
  control: {
    does: "a change that Ada has approved, byte by byte as she saw it",
    expects: "applied",
    mayChange: usualChange,
    attack: (ground) => spoilt(ground, () => ({})),
  },
  rows: [
    {
      row: 52,
      does: "one bit of the own section",
      expects: "plan.digest",
      attack: (ground) => spoilt(ground, (_, plan) => ({ section: bytes(text(plan.section).replace(" 4;", " 5;")) })),
    },
    {
      row: 53,
      does: "another title, summary or source in the header",
      expects: "plan.digest",
      attack: (ground) =>
        spoilt(
          ground,
          () => ({ header: byteForm({ ...madeHeader, title: "Change a Host" }) }),
          () => ({ header: byteForm({ ...madeHeader, summary: "Made for a rest." }) }),
          () => ({
            header: byteForm({
              ...madeHeader,
              source: {
                from: "plugin",
                plugin: "netguard",
                version: "1.0.0",
                artifactSha256: "0".repeat(64),
                inputSha256: "0".repeat(64),
              },
            }),
          }),
        ),
    },
    {
      row: 54,
      does: "the digests of other hosts swapped, left out or one more",
      expects: "plan.digest",
      attack: (ground) =>
        spoilt(
          ground,
          (_, { digests }) => ({
            digests: Buffer.concat([digests.subarray(64), digests.subarray(32, 64), digests.subarray(0, 32)]),
          }),
          (_, { digests }) => ({ digests: digests.subarray(0, 64) }),
          (_, { digests }) => ({ digests: Buffer.concat([digests, new Uint8Array(32)]) }),
        ),
    },
    {
      row: 55,
      does: "the digest of the own section twice in the list",
      expects: "plan.index",
      attack: (ground) =>
        approved(ground, async (host) => {
          const own = ownOf(await planFor(host)).toHex();
          return planFor(host, usualOperations, { before: [own] });
        }),
    },
    {
      row: 56,
      does: "the index of another section, or of none",
      expects: "plan.index",
      attack: (ground) =>
        spoilt(
          ground,
          () => ({ index: 0 }),
          () => ({ index: 2 }),
          () => ({ index: 9_999 }),
        ),
    },
    {
      row: 57,
      does: "the approved section of another host",
      expects: "plan.other_node",
      attack: (ground) =>
        approved(ground, (host) => planFor(host, usualOperations, { nodeId: `node_${"0".repeat(26)}` })),
    },
    {
      row: 58,
      does: "the header of one approved plan with the sections of another",
      expects: "plan.digest",
      attack: (ground) =>
        spoilt(ground, async (host) => {
          const other = await planFor(host, [fileAt("/etc/app.conf")], { header: { ...madeHeader, title: "Another" } });
          return { digests: other.digests, section: other.section };
        }),
    },
    {
      row: 59,
      does: "the same meaning with other blanks, another order of keys, or escapes",
      expects: "plan.form",
      attack: (ground) =>
        spoilt(
          ground,
          (_, plan) => ({ section: bytes(`${JSON.stringify(JSON.parse(text(plan.section)), null, 1)}\n`) }),
          (_, plan) => ({ header: bytes(`${JSON.stringify({ title: "", ...JSON.parse(text(plan.header)) })}\n`) }),
          (_, plan) => ({ section: bytes(text(plan.section).replace("nginx", "\\u006eginx")) }),
          (_, plan) => ({ header: bytes(text(plan.header).replace(/"schema":\s*1/, (schema) => `${schema}.0`)) }),
        ),
    },
    {
      row: 60,
      does: "a byte order mark, a byte behind, a key twice, no line end",
      expects: "plan.form",
      attack: (ground) =>
        spoilt(
          ground,
          (_, plan) => ({ section: bytes(`\ufeff${text(plan.section)}`) }),
          (_, plan) => ({ section: bytes(`${text(plan.section)} `) }),
          (_, plan) => ({ section: bytes(text(plan.section).replace("{", '{"node":"x",')) }),
          (_, plan) => ({ section: plan.section.subarray(0, -1) }),
          () => ({ section: new Uint8Array([0xff]) }),
        ),
    },
    {
      row: 61,
      does: "the digest of a state or of an input in place of the section's",
      expects: "plan.digest",
      attack: (ground) =>
        approved(
          ground,
          ...[
            (own: object) => inputDigest(sha256, own),
            (own: object) => stateDigest(sha256, "file:/etc/nginx/nginx.conf", own),
          ].map((digestOf) => async (host: RowHost) => {
            const { section: own } = await planFor(host);
            return { ...planOfDigests(digestOf(JSON.parse(text(own)) as object)), section: own };
          }),
        ),
    },
    {
      row: 62,
      does: "a field more, 65 operations, an operation without its precondition, one without an operation",
      expects: "plan.schema",
      attack: (ground) =>
        approved(
          ground,
          (host) => section(host, { ceiling: {} }),
          (host) => operation(host, { ...fileAt("/etc/nginx/nginx.conf"), setuid: true }),
          (host) =>
            planFor(
              host,
              Array.from({ length: 65 }, (_, at) => fileAt(`/etc/nginx/${at}.conf`)),
            ),
          (host) => section(host, { preconditions: [] }),
          (host) =>
            section(host, {
              preconditions: [
                { subject: "file:/etc/nginx/nginx.conf", state: "absent" },
                { subject: "file:/etc/shadow", state: "absent" },
              ],
            }),
          (host) => section(host, { operations: [] }),
          (host) => planFor(host, usualOperations, { header: { ...madeHeader, schema: 3 } }),
          (host) => planFor(host, usualOperations, { header: { ...madeHeader, together: [] } }),
        ),
    },
    {
      row: 63,
      does: "kinds of operation of a later release, or of none, and hosts that change together",
      expects: [...laterKinds.map(() => "plan.kind_unknown"), "plan.together"],
      attack: (ground) =>
        approved(
          ground,
          ...laterKinds.map((kind) => (host: RowHost) => operation(host, { kind, argv: ["/bin/sh", "-c", "id"] })),
          (host) => {
            const together = [host.nodeId, `node_${"0".repeat(26)}`].toSorted();
            return planFor(host, usualOperations, { header: { ...madeHeader, schema: 2, together } });
          },
        ),
    },
    {
      row: 64,
      does: "10,001 digests, a header of 64 KiB and one byte, a section of 16 MiB and one byte",
      expects: "plan.too_large",
      attack: (ground) =>
        spoilt(
          ground,
          () => ({ digests: new Uint8Array(32 * 10_001) }),
          () => ({ header: new Uint8Array(64 * 1024 + 1) }),
          () => ({ section: new Uint8Array(16 * 1024 * 1024 + 1) }),
        ),
    },
    {
      row: 65,
      does: "a digest of 31 bytes, or none",
      expects: "task.malformed",
      attack: (ground) =>
        spoilt(
          ground,
          (_, { digests }) => ({ digests: digests.subarray(0, -1) }),
          () => ({ digests: new Uint8Array() }),
        ),
    },
    {
      row: 67,
      does: "hidden characters, and ones that turn the direction, in a file's text",
      expects: "plan.schema",
      attack: (ground) =>
        approved(
          ground,
          ...hidden.map(
            (odd) => (host: RowHost) => operation(host, { ...fileAt("/etc/nginx/nginx.conf"), text: `a${odd}b` }),
          ),
        ),
    },
  ],
};

/** What a plan of exactly these digests is called, with the usual header. */
function planOfDigests(...digests: readonly string[]): MadePlan {
  const { header, section: own } = makePlan({ nodeId: "", operations: [] });
  const all = Uint8Array.fromHex(digests.join(""));
  const planDigest = planDigestOf(sha256, headerDigest(sha256, madeHeader), digests);
  return { header, section: own, digests: all, planDigest, index: 0, count: digests.length };
}

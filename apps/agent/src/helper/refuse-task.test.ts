import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { connectPeer, startHelper } from "../../test/helper-process.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { makeHostIdentity } from "../local/host-key.ts";
import type { HelperDeps } from "./helper-deps.ts";

const part = { sha256: "a".repeat(64), size: 1 };
const parts = { header: part, digests: part, section: part, approvals: part, artifacts: [part] };
const change = { task: `task_${"0".repeat(26)}`, planDigest: "b".repeat(64), index: 0, parts };

/** Every file of the host with what it holds and when it was written. */
function filesOf(root: string): string[] {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(root, name)).isFile(),
  );
  return names.toSorted().map((name) => {
    const { mtimeNs } = statSync(join(root, name), { bigint: true });
    return `${name} ${mtimeNs} ${readFileSync(join(root, name), "hex")}`;
  });
}

test.each([
  ["monitored", () => ({ level: "monitor" }) as const],
  ["managed", () => ({ level: "managed" }) as const],
  [
    "whose ceiling is not sound",
    () => {
      throw fault("ceiling.unsafe", "it is somebody else's");
    },
  ],
] satisfies [string, HelperDeps["readCeiling"]][])(
  "a host that is %s refuses every change, writes nothing, and says so in one line",
  async (_, readCeiling) => {
    const host = makeHostDirectory();
    await makeHostIdentity(host);
    const { ask, lines } = await startHelper(host, { readCeiling });
    const before = filesOf(host.root);
    await expect(ask("task.submit", change)).rejects.toThrow(/^ceiling\.off: expected .*, found /);
    expect(lines).toEqual([`a change was refused: ceiling.off: ${change.task}`]);
    expect(filesOf(host.root)).toEqual(before);
  },
);

test("a thousand changes fill no log: a dozen lines a minute are written", async () => {
  const host = makeHostDirectory();
  const { ask, lines, clock } = await startHelper(host);
  const refuse = () => expect(ask("task.submit", change)).rejects.toThrow(/^ceiling\.off/);
  for (let count = 0; count < 40; count += 1) await refuse();
  expect(lines).toHaveLength(12);
  clock.advance(60_000);
  await refuse();
  expect(lines).toHaveLength(13);
});

const malformed: [string, JsonObject][] = [
  ["nothing", {}],
  ["another id", { ...change, task: "../../etc/passwd" }],
  ["an id with a line end", { ...change, task: `${change.task}\n` }],
  ["another digest", { ...change, planDigest: "B".repeat(64) }],
  ["an index below zero", { ...change, index: -1 }],
  ["a part less", { ...change, parts: { header: part } }],
  ["a part more", { ...change, parts: { ...parts, script: part } }],
  ["too many artifacts", { ...change, parts: { ...parts, artifacts: Array.from({ length: 65 }, () => part) } }],
  ["a type", { ...change, t: "task" }],
  ["a command", { ...change, argv: ["/bin/sh"] }],
];

test.each(malformed)(
  "a change with %s is refused as malformed, without a line, and the connection goes on",
  async (_, fields) => {
    const host = makeHostDirectory();
    await makeHostIdentity(host);
    const { lines } = await startHelper(host);
    const { send, received } = await connectPeer(host.paths.helperSocket);
    send({ ...fields, v: 1, id: 1, verb: "task.submit" });
    send({ v: 1, id: 2, verb: "identity" });
    expect((await received(2)).map(({ ok, code }) => code ?? ok)).toEqual(["task.malformed", true]);
    expect(lines).toEqual([]);
  },
);

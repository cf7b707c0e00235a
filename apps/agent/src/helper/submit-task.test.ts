import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@gatehouse/base";
import { channelLimits, encodeBase64url } from "@gatehouse/channel";
import { expect, test } from "vitest";
import { partOf, sampleChange, willingJudge } from "../../test/fake-judge.ts";
import { connectPeer, startHelper } from "../../test/helper-process.ts";
import { elfOf } from "../../../../tests/support/elf-program.ts";
import { localLimits } from "../local/local-limits.ts";
import { artifactLimits } from "../tasks/artifact-limits.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { makeHostIdentity } from "../local/host-key.ts";

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

test("a change that is not admitted is refused, nothing is written, and one line says so", async () => {
  const host = makeHostDirectory();
  await makeHostIdentity(host);
  const { ask, lines } = await startHelper(host);
  const before = filesOf(host.root);
  await expect(ask("task.submit", change)).rejects.toThrow(/^ceiling\.off: expected .*, found /);
  expect(lines).toEqual([`a change was refused: ceiling.off: ${change.task}`]);
  expect(filesOf(host.root)).toEqual(before);
});

test("the parts of a change come over the socket, the largest pieces too, and the whole is judged without a file being written", async () => {
  const host = makeHostDirectory();
  await makeHostIdentity(host);
  const judge = willingJudge();
  const { ask } = await startHelper(host, {}, judge);
  const before = filesOf(host.root);
  const { task, bytes, held } = sampleChange(channelLimits.pullBytes);
  const { header, digests, section, approvals } = task.parts;
  expect(await ask("task.submit", task)).toEqual({ missing: [header, digests, section, approvals] });
  for (const [sha256, each] of held) {
    expect(await ask("blob.put", { sha256, offset: 0, bytes: encodeBase64url(each) })).toEqual({});
  }
  await expect(ask("task.submit", task)).rejects.toThrow(/^apply\.absent/);
  expect(judge.judged).toMatchObject([bytes]);
  expect(filesOf(host.root)).toEqual(before);
});

test("a thousand changes are not judged and fill no log: a dozen a minute are, with a dozen lines", async () => {
  const host = makeHostDirectory();
  const { ask, lines, clock } = await startHelper(host);
  const refuse = (code: string) => expect(ask("task.submit", change)).rejects.toThrow(new RegExp(`^${code}`));
  for (let count = 0; count < 12; count += 1) await refuse("ceiling.off");
  for (let count = 0; count < 28; count += 1) await refuse("local.limit");
  expect(lines).toHaveLength(12);
  clock.advance(60_000);
  await refuse("ceiling.off");
  expect(lines).toHaveLength(13);
});

const sha256 = "a".repeat(64);
const oddPieces: [string, JsonObject][] = [
  ["nothing", {}],
  ["another digest", { sha256: "A".repeat(64), offset: 0, bytes: "AA" }],
  ["a place below zero", { sha256, offset: -1, bytes: "AA" }],
  ["no bytes", { sha256, offset: 0, bytes: "" }],
  ["other letters", { sha256, offset: 0, bytes: "A=" }],
  ["a byte too many", { sha256, offset: 0, bytes: encodeBase64url(new Uint8Array(channelLimits.pullBytes + 1)) }],
  ["a path", { sha256, offset: 0, bytes: "AA", path: "/etc/passwd" }],
];

test.each(oddPieces)("a piece with %s is no message of this socket", async (_, fields) => {
  const host = makeHostDirectory();
  await startHelper(host);
  const { send, received, closed } = await connectPeer(host.paths.helperSocket);
  send({ ...fields, v: 1, id: 1, verb: "blob.put" });
  expect((await received(1)).map(({ code }) => code)).toEqual(["local.frame"]);
  await closed();
});

test("bytes that nobody asked for are refused by name, and the connection goes on", async () => {
  const host = makeHostDirectory();
  await makeHostIdentity(host);
  const { lines } = await startHelper(host, {}, willingJudge());
  const { send, received } = await connectPeer(host.paths.helperSocket);
  send({ v: 1, id: 1, verb: "blob.put", sha256, offset: 0, bytes: "AA" });
  send({ v: 1, id: 2, verb: "identity" });
  expect((await received(2)).map(({ ok, code }) => code ?? ok)).toEqual(["blob.not_wanted", true]);
  expect(lines).toEqual([`a part of a change was refused: blob.not_wanted: ${sha256}`]);
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

test("an artifact comes over the socket in more pieces than one connection may ask for, and its file is gone with its change", async () => {
  const host = makeHostDirectory();
  await makeHostIdentity(host);
  const judge = willingJudge();
  const { ask } = await startHelper(host, {}, judge);
  const { task, held } = sampleChange();
  const program = elfOf("x64", 1_200);
  const announced = { ...task, parts: { ...task.parts, artifacts: [partOf(program)] } };
  const { sha256, size } = partOf(program);
  const put = (offset: number, bytes: Uint8Array) => ask("blob.put", { sha256, offset, bytes: encodeBase64url(bytes) });
  await ask("task.submit", announced);
  for (let at = 0; at < 600; at += 10) await put(at, program.subarray(at, at + 10));
  const { missing } = await ask("task.submit", announced);
  expect(missing).toContainEqual({ sha256, size, from: 600 });
  for (let at = 600; at < 1_200; at += 10) await put(at, program.subarray(at, at + 10));
  expect(readdirSync(host.paths.inbox)).toEqual([sha256]);
  await expect(put(1_200, Uint8Array.of(1))).rejects.toThrow(/^blob\.size/);
  for (const [each, bytes] of held) await ask("blob.put", { sha256: each, offset: 0, bytes: encodeBase64url(bytes) });
  await expect(ask("task.submit", announced)).rejects.toThrow(/^apply\.absent/);
  expect(judge.judged[0]?.artifacts).toMatchObject([{ sha256, size }]);
  expect(readdirSync(host.paths.inbox)).toEqual([]);
});

test("a helper that holds a part of an artifact does not end in a quiet minute; when nothing more comes it does", async () => {
  const host = makeHostDirectory();
  await makeHostIdentity(host);
  const { ask, timers, served } = await startHelper(host, {}, willingJudge());
  const { task } = sampleChange();
  const program = elfOf("x64");
  const idle = () => expect.poll(() => timers.running()).toContain(localLimits.idleMs);
  await ask("task.submit", { ...task, parts: { ...task.parts, artifacts: [partOf(program)] } });
  await ask("blob.put", { sha256: partOf(program).sha256, offset: 0, bytes: encodeBase64url(program.subarray(0, 8)) });
  await idle();
  timers.end(localLimits.idleMs);
  await idle();
  timers.end(artifactLimits.standstillMs);
  await expect.poll(() => readdirSync(host.paths.inbox)).toEqual([]);
  timers.end(localLimits.idleMs);
  await served.done;
});

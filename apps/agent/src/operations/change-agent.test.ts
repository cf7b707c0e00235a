import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { usualPlaces, workOfOperation } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { keptOf, sha256Of, updateTo } from "../../test/made-artifact.ts";
import { recordedHost } from "../../test/recorded-host.ts";
import { unitNames } from "../host/unit-files.ts";
import { openChangeAgent } from "./change-agent.ts";
import { keptRescue } from "./keep-rescue.ts";
import { openReadAgentState } from "./read-agent-state.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const [old, next] = [bytes("old agent"), bytes("new agent")];
const architecture = "x64";
const update = updateTo(next, { architecture, version: "0.3.0" });

/** The program that runs, by its bytes. */
const programOf = (held: Uint8Array, version = "0.2.1") => ({
  version,
  architecture,
  digest: async () => sha256Of(held),
});

function setUp(answers: Parameters<typeof recordedHost>[0] = {}) {
  const { root, owner, paths } = makeHostDirectory();
  const { run, lines } = recordedHost(answers);
  const directory = join(paths.snapshots, "task");
  for (const each of [directory, dirname(paths.rescue)]) mkdirSync(each, { recursive: true });
  for (const each of [paths.binary, paths.rescue]) {
    writeFileSync(each, old);
    chmodSync(each, 0o755);
  }
  const ground = { root, owner, run, directory, artifacts: [keptOf(next)], pause: async () => undefined };
  const kept = { ...ground, paths, vfs: undefined as never };
  const found = (at: string) => [readFileSync(at, "utf8"), lstatSync(at).mode & 0o7777];
  const change = openChangeAgent(programOf(old));
  return { paths, ground, kept, lines, found, change };
}

test("the agent is replaced whole, and everybody may start it, whatever was there", async () => {
  const { paths, ground, change, found, lines } = setUp();
  chmodSync(paths.binary, 0o700);
  await change.validate(ground, update);
  const copy = await change.snapshot(ground, "self");
  await change.prove(ground, "self", copy);
  expect(await change.isApplied(ground, update)).toBe(false);
  await change.apply(ground, update);
  expect(found(paths.binary)).toEqual(["new agent", 0o755]);
  expect(found(paths.rescue), "nobody has seen the new one working").toEqual(["old agent", 0o755]);
  expect(await change.isApplied(ground, update)).toBe(true);
  await change.finish?.(ground, update);
  expect(readdirSync(dirname(paths.binary)).toSorted()).toEqual(["gatehouse-agent", "rescue"]);
  expect(lines, "who starts it is asked for later").toEqual([]);
});

test("it comes back as the very file that it was", async () => {
  const { paths, ground, change } = setUp();
  const before = lstatSync(paths.binary);
  const copy = await change.snapshot(ground, "self");
  await change.apply(ground, update);
  for (const _ of "twice") await change.restore(ground, "self", copy);
  const after = lstatSync(paths.binary);
  expect([after.ino, after.mode, after.nlink]).toEqual([before.ino, before.mode, 1]);
});

test.each([
  ["another", (rescue: string) => writeFileSync(rescue, "an earlier one")],
  ["damaged", (rescue: string) => writeFileSync(rescue, "")],
])("nothing is begun where what takes changes back is %s", async (_, spoil) => {
  const { paths, ground, change } = setUp();
  spoil(paths.rescue);
  await expect(change.validate(ground, update)).rejects.toMatchObject({
    code: "validate.failed",
    detail: expect.stringMatching(
      /rescue\/gatehouse-agent: expected the program that is installed, found [0-9a-f]{64}$/,
    ),
  });
});

test.each([
  ["of that version and with those bytes", programOf(next, "0.3.0"), true],
  ["of those bytes that calls itself another version", programOf(next, "0.3.1"), false],
  ["of other bytes that calls itself that version", programOf(old, "0.3.0"), false],
  ["for another processor", { ...programOf(next, "0.3.0"), architecture: "arm64" }, false],
])("the one to go on is a program %s", async (_, own, isThis) => {
  const { ground } = setUp();
  expect(await openChangeAgent(own).successor?.isThis(ground, update)).toBe(isThis);
});

const step = (wanted: string) =>
  (workOfOperation(update, usualPlaces)?.programs ?? [])
    .filter((each) => each.step === wanted)
    .map(({ argv }) => argv.join(" "));

test("the new one is started in the place of the helper, which ends whoever has asked for it", async () => {
  const { ground, change, lines } = setUp();
  await change.successor?.start(ground);
  expect(lines).toEqual([`systemctl restart --no-block ${unitNames.helper}`]);
  expect(lines).toEqual(step("check"));
  const ended = setUp({ "systemctl restart": { code: null, stderr: "Command failed" } });
  await ended.change.successor?.start(ended.ground);
  for (const answer of [
    { code: 1, stderr: "no bus" },
    { code: null, cut: "time" as const },
  ]) {
    const refused = setUp({ "systemctl restart": answer });
    await expect(refused.change.successor?.start(refused.ground)).rejects.toMatchObject({ code: "check.failed" });
  }
});

test("what runs of one that was taken back is ended, and the old one started, with the very words of the plan", async () => {
  const { ground, change, lines } = setUp({
    "systemctl kill": { code: 1, stderr: "not loaded" },
    "systemctl reset-failed": { code: 1, stderr: "not loaded" },
  });
  await change.startAnew?.(ground);
  expect(lines).toEqual(step("restore"));
  const { agent, helper, socket } = unitNames;
  expect(lines.map((line) => line.split(" ").at(-1))).toEqual([helper, agent, agent, helper, socket, socket, agent]);
  const refused = setUp({ "systemctl restart": { code: 1, stderr: "no bus" } });
  await expect(refused.change.startAnew?.(refused.ground)).rejects.toMatchObject({ code: "restore.failed" });
});

test("a host tells of the agent that is installed, by the very program that runs", async () => {
  const { ground, paths } = setUp();
  const reading = { ...ground, checkTime: () => undefined, privateKey: new Uint8Array(32) };
  const read = openReadAgentState(programOf(old));
  expect(await read(reading, "self")).toEqual({ sha256: sha256Of(old), version: "0.2.1", architecture });
  writeFileSync(paths.binary, next);
  await expect(read(reading, "self")).rejects.toThrow(/^state\.unreadable: .*expected the agent that runs, 0\.2\.1/);
  chmodSync(paths.binary, 0o700);
  await expect(read(reading, "self")).rejects.toThrow(/^state\.unreadable: .*everybody may read/);
});

test("once it is confirmed it is also what takes changes back, however often that is done", async () => {
  const { ground, kept, change, paths, found } = setUp();
  await change.apply(ground, update);
  for (const _ of "twice") await keptRescue.keep(kept, update);
  expect(found(paths.rescue)).toEqual(["new agent", 0o755]);
  expect(readdirSync(dirname(paths.rescue))).toEqual(["gatehouse-agent"]);
  expect(await keptRescue.load(kept)).toEqual({ loaded: [], failed: [], ignored: [] });
});

test("a program that is not the one that was confirmed never takes changes back", async () => {
  const { kept, paths, found } = setUp();
  writeFileSync(paths.binary, "of somebody");
  await keptRescue.keep(kept, update);
  expect(found(paths.rescue)).toEqual(["old agent", 0o755]);
});

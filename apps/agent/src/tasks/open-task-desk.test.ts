import { manualClock, openTurns } from "@gatehouse/base";
import { channelLimits } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { noChanges } from "../../test/no-changes.ts";
import { partOf, refusingJudge, sampleChange, willingJudge } from "../../test/fake-judge.ts";
import { makeArtifactGround } from "../../test/artifact-ground.ts";
import { keptOf } from "../../test/made-artifact.ts";
import { elfOf } from "../../../../tests/support/elf-program.ts";
import { manualTimers } from "../../test/manual-timers.ts";
import { openHelperMinutes } from "../helper/sliding-minute.ts";
import { openInbox } from "./open-inbox.ts";
import { openTaskDesk } from "./open-task-desk.ts";
import type { JudgedTask, TaskJudge, TaskTaker } from "./task.ts";

function open(judge: TaskJudge = willingJudge(), changes: TaskTaker = noChanges) {
  const clock = manualClock();
  const timers = manualTimers();
  const lines: string[] = [];
  const inbox = openInbox({ timers, most: channelLimits.taskBytes });
  const ground = makeArtifactGround();
  const { artifacts } = ground;
  const log = (line: string) => void lines.push(line);
  const minutes = openHelperMinutes(clock);
  const desk = openTaskDesk({ judge, changes, inbox, artifacts, inTurn: openTurns(), minutes, log });
  return { desk, lines, clock, timers, ground };
}

const { task, bytes, held } = sampleChange();
const { header, digests, section, approvals } = task.parts;

async function bring({ desk }: ReturnType<typeof open>, of = held) {
  for (const [sha256, each] of of) await desk.put({ sha256, offset: 0, bytes: each });
}

test("a change names the parts that it misses; once all are here it is judged, and one that this version cannot make is refused", async () => {
  const judge = willingJudge();
  const opened = open(judge);
  expect(await opened.desk.submit(task)).toEqual({ missing: [header, digests, section, approvals] });
  expect(opened.lines, "to miss something is no refusal").toEqual([]);
  await bring(opened);
  await expect(opened.desk.submit(task)).rejects.toThrow(/^apply\.absent/);
  const { parts: _, ...announced } = task;
  expect(judge.judged).toEqual([{ ...announced, ...bytes, artifacts: [] }]);
  expect(opened.lines).toEqual([`a change was refused: apply.absent: ${task.task}`]);
});

test("a change that was judged has left the memory: its parts have to come again", async () => {
  const opened = open({ ...willingJudge(), judge: () => Promise.reject(fault("plan.digest", "other bytes")) });
  await opened.desk.submit(task);
  await bring(opened);
  await expect(opened.desk.submit(task)).rejects.toThrow(/^plan\.digest/);
  expect(opened.timers.running()).toEqual([]);
  await expect(bring(opened)).rejects.toThrow(/^blob\.not_wanted/);
  expect((await opened.desk.submit(task)).missing).toHaveLength(4);
});

test("a change that is not admitted names nothing, and what came of the one before is gone", async () => {
  let isOff = false;
  const willing = willingJudge();
  const opened = open({ ...willing, admit: (each) => (isOff ? refusingJudge : willing).admit(each) });
  await opened.desk.submit(task);
  await bring(opened);
  isOff = true;
  await expect(opened.desk.submit(task)).rejects.toThrow(/^ceiling\.off/);
  expect(willing.judged).toEqual([]);
  isOff = false;
  expect((await opened.desk.submit(task)).missing).toHaveLength(4);
});

test("sizes are judged before anything is fetched", async () => {
  const large = { sha256: "c".repeat(64), size: channelLimits.taskBytes };
  const { desk, lines } = open();
  const announce = (parts: object) => desk.submit({ ...task, parts: { ...task.parts, ...parts } });
  await expect(announce({ section: large })).rejects.toThrow(/^plan\.too_large/);
  const most = { ...large, size: 512 * 1024 * 1024 };
  const three = ["c", "d", "e"].map((digit) => ({ ...most, sha256: digit.repeat(64) }));
  await expect(announce({ artifacts: three })).rejects.toThrow(/^blob\.quota/);
  await expect(announce({ digests: { ...digests, size: 31 } })).rejects.toThrow(/^task\.malformed/);
  expect(lines.map((line) => line.split(": ")[1])).toEqual(["plan.too_large", "blob.quota", "task.malformed"]);
});

test("another change takes the place of the one before", async () => {
  const opened = open();
  await opened.desk.submit(task);
  const other = { ...sampleChange(200).task, task: `task_${"1".repeat(26)}` };
  expect((await opened.desk.submit(other)).missing).toContainEqual(other.parts.section);
  await expect(opened.desk.put({ sha256: section.sha256, offset: 0, bytes: bytes.section })).rejects.toThrow(
    /^blob\.not_wanted/,
  );
  expect(opened.lines).toEqual([`a part of a change was refused: blob.not_wanted: ${section.sha256}`]);
});

test("whatever goes wrong while a change is judged, it is refused", async () => {
  const opened = open({ ...willingJudge(), judge: () => Promise.reject(new TypeError("x is not a function")) });
  await opened.desk.submit(task);
  await bring(opened);
  await expect(opened.desk.submit(task)).rejects.toThrow("x is not a function");
  expect(opened.lines).toEqual([`a change was refused: defect: ${task.task}`]);
});

test("one is judged at a time: the one behind it waits, and has its own parts to bring", async () => {
  const verdict = Promise.withResolvers<never>();
  const begun = Promise.withResolvers<void>();
  let judging = 0;
  const opened = open({
    ...willingJudge(),
    judge: () => {
      judging += 1;
      begun.resolve();
      return verdict.promise;
    },
  });
  await opened.desk.submit(task);
  await bring(opened);
  const [first, second] = [opened.desk.submit(task), opened.desk.submit(task)];
  await begun.promise;
  await expect(bring(opened), "nothing is taken while one is judged").rejects.toThrow(/^blob\.not_wanted/);
  verdict.reject(fault("state.stale", "it has changed"));
  await expect(first).rejects.toThrow(/^state\.stale/);
  expect((await second).missing).toHaveLength(4);
  expect(judging).toBe(1);
});

test("a dozen a minute are taken, and a dozen lines written", async () => {
  const { desk, lines, clock } = open(refusingJudge);
  for (let count = 0; count < 12; count += 1) await expect(desk.submit(task)).rejects.toThrow(/^ceiling\.off/);
  await expect(desk.submit(task)).rejects.toThrow(/^local\.limit/);
  expect(lines).toHaveLength(12);
  clock.advance(60_000);
  await expect(desk.submit(task)).rejects.toThrow(/^ceiling\.off/);
  expect(lines).toHaveLength(13);
});

/** Takes whatever was judged, one at a time. */
function willingChanges() {
  const begun: string[] = [];
  const changes: TaskTaker = {
    find: async (id) => {
      if (begun.includes(id)) return { ended: undefined };
      if (begun.length > 0) throw fault("slot.busy", `found ${begun.join(", ")}`);
      return undefined;
    },
    begin: async ({ task: id }) => void begun.push(id),
  };
  return { changes, begun };
}

test("a change that is right is taken; the same one again is taken too, and neither judged nor begun again", async () => {
  const judge = willingJudge();
  const { changes, begun } = willingChanges();
  const opened = open(judge, changes);
  await opened.desk.submit(task);
  await bring(opened);
  const taken = { missing: [], taken: { ended: undefined } };
  expect(await opened.desk.submit(task)).toEqual(taken);
  expect(await opened.desk.submit(task)).toEqual(taken);
  expect(begun).toEqual([task.task]);
  expect(judge.judged).toHaveLength(1);
  expect(opened.lines).toEqual([]);
});

test("of two that come at once, whole, one is taken and the other told that it is", async () => {
  const { changes, begun } = willingChanges();
  const opened = open(willingJudge(), changes);
  const other = { ...task, task: `task_${"1".repeat(26)}` };
  await opened.desk.submit(task);
  await bring(opened);
  const [first, second] = await Promise.allSettled([opened.desk.submit(task), opened.desk.submit(other)]);
  expect(first).toMatchObject({ status: "fulfilled", value: { taken: { ended: undefined } } });
  expect(second).toMatchObject({ status: "rejected", reason: { code: "slot.busy" } });
  expect(begun).toEqual([task.task]);
  expect(opened.lines).toEqual([`a change was refused: slot.busy: ${other.task}`]);
});

const program = elfOf("x64", 1_000);
const withArtifact = { ...task, parts: { ...task.parts, artifacts: [partOf(program)] } };
const bringProgram = async ({ desk }: ReturnType<typeof open>, from = 0, to = program.byteLength) =>
  desk.put({ sha256: keptOf(program).sha256, offset: from, bytes: program.subarray(from, to) });

test("an artifact comes beside the other parts, is judged open, and is the change's when it is taken", async () => {
  const judge = willingJudge();
  const taken: JudgedTask[] = [];
  const opened = open(judge, { ...noChanges, begin: async (judged) => void taken.push(judged) });
  const small = [header, digests, section, approvals];
  expect(await opened.desk.submit(withArtifact)).toEqual({ missing: [...small, partOf(program)] });
  await bring(opened);
  await bringProgram(opened, 0, 400);
  expect(await opened.desk.submit(withArtifact)).toEqual({ missing: [{ ...partOf(program), from: 400 }] });
  await bringProgram(opened, 400);
  expect(await opened.desk.submit(withArtifact)).toEqual({ missing: [], taken: { ended: undefined } });
  const [artifact] = taken[0]?.artifacts ?? [];
  expect(artifact).toMatchObject(partOf(program));
  expect(await artifact?.read(0, 1_000)).toEqual(Buffer.from(program));
  expect(opened.ground.left(), "no name leads to it").toEqual([]);
  expect(opened.ground.artifacts.isHolding()).toBe(false);
  await artifact?.close();
});

test("after a refusal the large part need not come again, for this change or another that names it", async () => {
  const refused = () => Promise.reject(fault("state.stale", "it has changed"));
  const opened = open({ ...willingJudge(), judge: refused });
  await opened.desk.submit(withArtifact);
  await bring(opened);
  await bringProgram(opened);
  await expect(opened.desk.submit(withArtifact)).rejects.toThrow(/^state\.stale/);
  await expect(bringProgram(opened)).rejects.toThrow(/^blob\.not_wanted/);
  const other = { ...withArtifact, task: `task_${"1".repeat(26)}` };
  expect((await opened.desk.submit(other)).missing).toHaveLength(4);
  expect((await opened.desk.submit(task)).missing).toHaveLength(4);
  expect(opened.ground.left(), "a change that does not name it").toEqual([]);
});

test("a change that is not admitted lets what is half here go", async () => {
  let isBusy = false;
  const busy = () => Promise.reject(fault("slot.busy", "another is open"));
  const opened = open({ ...willingJudge(), admit: () => (isBusy ? busy() : Promise.resolve()) });
  await opened.desk.submit(withArtifact);
  await bringProgram(opened, 0, 400);
  isBusy = true;
  await expect(opened.desk.submit(withArtifact)).rejects.toThrow(/^slot\.busy/);
  expect(opened.ground.left()).toEqual([]);
});

test("a change that was judged and could not begin has closed what it had got", async () => {
  const judge = willingJudge();
  const opened = open(judge, { ...noChanges, begin: () => Promise.reject(fault("slot.busy", "another is open")) });
  await opened.desk.submit(withArtifact);
  await bring(opened);
  await bringProgram(opened);
  await expect(opened.desk.submit(withArtifact)).rejects.toThrow(/^slot\.busy/);
  await expect(judge.judged[0]?.artifacts[0]?.read(0, 1)).rejects.toThrow(/^artifact\.missing/);
  expect(opened.ground.left()).toEqual([]);
  expect((await opened.desk.submit(withArtifact)).missing).toHaveLength(5);
});

import { fault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { makeChangeBench, untilIdle, untilRestarted } from "../../test/change-bench.ts";
import { endOf } from "./end-change.ts";
import type { JournalSlot } from "./journal-slot.ts";

const isDrop = (call: string) => call === "drop";
const odd = new TypeError("x is not a function");

test("a change that stands still is gone on with when it is asked for", async () => {
  const bench = await makeChangeBench();
  bench.failing.set("validate", odd).set("end", fault("journal.locked", "another program holds it"));
  const changes = bench.open();
  await changes.begin(bench.judged);
  await untilIdle(changes);
  expect(await bench.kinds()).toEqual(["accepted"]);
  bench.failing.clear();
  await expect(changes.find(`task_${"0".repeat(25)}8`)).rejects.toThrow(/^slot\.busy/);
  await untilIdle(changes);
  expect(await changes.find(bench.judged.task)).toMatchObject({ ended: { end: { code: "change.interrupted" } } });
  expect(await changes.find(`task_${"0".repeat(25)}8`)).toBeUndefined();
});

test("a change that stands still is gone on with by whoever follows it, after a while", async () => {
  const bench = await makeChangeBench();
  bench.failing.set("validate", odd).set("end", fault("journal.locked", "the disk is full"));
  const changes = bench.open();
  await changes.begin(bench.judged);
  await untilIdle(changes);
  bench.failing.clear();
  await changes.told(0);
  expect([changes.isBusy(), await bench.kinds()], "not at once").toEqual([false, ["accepted"]]);
  bench.host.time.wall += 10_000;
  await changes.told(0);
  await untilIdle(changes);
  expect(await bench.kinds()).toEqual(["accepted", "ended"]);
});

test("what is left of changes that have ended is dropped once: by a new process, and after one stood still", async () => {
  const bench = await makeChangeBench();
  bench.failing.set("drop", odd);
  const changes = bench.open();
  await changes.resume();
  expect(bench.lines.at(-1)).toMatch(/^what changes have left is not all gone: /);
  await changes.told(0);
  expect(bench.calls).toEqual(["drop"]);
  bench.failing.clear();
  bench.failing.set("finish", odd);
  await changes.begin(bench.judged);
  await untilRestarted(bench);
  await changes.prove(await bench.prove());
  await untilIdle(changes);
  expect(bench.calls.filter(isDrop), "it stands still").toHaveLength(1);
  // Root has ended it meanwhile.
  const journal = await bench.openJournal();
  const slot = (await journal.look()) as JournalSlot;
  await journal.append(slot.task, "ended", endOf(slot, "applied", { code: "", detail: "" }));
  await changes.told(0);
  await changes.told(0);
  expect(bench.calls.filter(isDrop)).toHaveLength(2);
});

test("an end that could not be written when it was confirmed is tried again with the next question", async () => {
  const bench = await makeChangeBench();
  const changes = bench.open();
  await changes.begin(bench.judged);
  await untilRestarted(bench);
  bench.failing.set("finish", new Error("no space"));
  await changes.prove(await bench.prove());
  await untilIdle(changes);
  expect(bench.lines.at(-1)).toBe("a change stands still: change.interrupted: Error: no space");
  bench.failing.clear();
  expect(await changes.find(bench.judged.task)).toEqual({ ended: undefined });
  await untilIdle(changes);
  expect(await changes.find(bench.judged.task)).toMatchObject({ ended: { end: { outcome: "applied" } } });
});

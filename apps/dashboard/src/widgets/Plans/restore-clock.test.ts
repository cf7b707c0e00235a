import { expect, test } from "vitest";
import { isLateTask, nextToRestore, restoreClock, windowsOf } from "./restore-clock.ts";
import { sampleApproval, sampleTask } from "./sample-plan.ts";

const armedAt = "2026-11-17T04:00:31.000Z";
const at = (seconds: number) => restoreClock(armedAt, 120, Date.parse(armedAt) + seconds * 1_000);

test("the clock of a host runs from the moment it was armed to the one in which it restores itself", () => {
  expect(at(0)).toEqual({ passed: 0, words: "restores itself in 2:00", isLate: false });
  expect(at(41)).toEqual({ passed: 34.2, words: "restores itself in 1:19", isLate: false });
  expect(at(90.5)).toEqual({ passed: 75.4, words: "restores itself in 0:30", isLate: true });
  expect(at(120)).toEqual({ passed: 100, words: "its time is over", isLate: true });
});

test("it stays between its ends where the clocks of browser and server differ", () => {
  expect(at(-5).words).toBe("restores itself in 2:00");
  expect(at(500).passed).toBe(100);
});

test("of all hosts the one is named that restores itself first, as long as its time is not over", () => {
  const armed = (name: string, second: number, state: "sent" | "applied" = "sent") =>
    sampleTask({ name, state, step: { state: "checking", at: armedAt, armedAt: `2026-11-17T04:00:${second}.000Z` } });
  const tasks = [
    armed("late", 40),
    armed("early", 10),
    armed("first", 20),
    armed("ended", 11, "applied"),
    sampleTask(),
  ];
  const next = (now: string) => nextToRestore(tasks, [sampleApproval()], Date.parse(now));
  expect(next("2026-11-17T04:01:00.000Z")).toEqual({ name: "early", seconds: 70 });
  expect(next("2026-11-17T04:02:10.000Z")).toEqual({ name: "first", seconds: 10 });
  expect(next("2026-11-17T04:03:00.000Z")).toBeUndefined();
  expect(nextToRestore(tasks, [], Date.parse(armedAt))).toBeUndefined();
});

test("a host under way is to be watched shortly before it restores itself, or when it says nothing", () => {
  const windows = windowsOf([sampleApproval()]);
  const start = Date.parse(armedAt);
  const step = { state: "checking", at: armedAt, armedAt } as const;
  const armed = sampleTask({ step });
  expect([80, 91, 300].map((after) => isLateTask(armed, windows, start + after * 1_000))).toEqual([false, true, true]);
  const silent = sampleTask({ stateAt: armedAt });
  const heard = sampleTask({
    stateAt: armedAt,
    step: { state: "validated", at: "2026-11-17T04:01:31.000Z", armedAt: null },
  });
  expect([silent, heard].map((task) => isLateTask(task, windows, start + 61_000))).toEqual([true, false]);
  expect(isLateTask(sampleTask({ state: "unknown" }), windows, start)).toBe(true);
  expect(isLateTask(sampleTask({ state: "rolled_back", step }), windows, start + 300_000)).toBe(false);
});

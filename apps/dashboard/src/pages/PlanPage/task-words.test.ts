import { taskStates } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { sampleTask } from "./sample-plan.ts";
import { countChanged, countEnded, countTasks, isTaskEnd, sayTask, todoOf, whyTask } from "./task-words.ts";

test("every state has a shape and a word, and no two words are equal", () => {
  const words = taskStates.map((state) => sayTask({ state, code: null }).word);
  expect(new Set(words).size).toBe(taskStates.length);
});

test("a host that found nothing wrong is not called one that refused", () => {
  const absent = sampleTask({ state: "refused", code: "apply.absent" });
  expect(sayTask(absent)).toEqual({ state: "quiet", word: "Nothing wrong" });
  expect(whyTask(absent)).toBe("The host has found nothing wrong, and cannot apply changes yet.");
  expect(todoOf(absent)).toBeUndefined();
});

test("a code is said by its title and what to do, and one of a newer server as it is", () => {
  const unit = sampleTask({ state: "refused", code: "ceiling.unit" });
  expect(whyTask(unit)).toBe("The host's ceiling does not name that unit.");
  expect(todoOf(unit)).toMatch(/gatehouse-agent ceiling set/);
  const newer = sampleTask({ state: "refused", code: "moon.phase" });
  expect([whyTask(newer), todoOf(newer)]).toEqual(["moon.phase", undefined]);
});

test("what has not ended says what it waits for", () => {
  expect(whyTask(sampleTask({ state: "queued" }))).toMatch(/when the host is connected/);
  expect(whyTask(sampleTask({ state: "sent" }))).toBe("No answer yet.");
  expect(whyTask(sampleTask({ state: "checking" }))).toBe("");
});

test("hosts are counted by what they answered, in the order of the states", () => {
  const tasks = [
    sampleTask({ state: "stale", code: "state.stale" }),
    sampleTask({ state: "refused", code: "apply.absent" }),
    sampleTask({ state: "refused", code: "ceiling.unit" }),
    sampleTask({ state: "refused", code: "apply.absent" }),
    sampleTask({ state: "sent" }),
  ];
  expect(countTasks(tasks)).toBe("1 sent, 2 nothing wrong, 1 refused, 1 stale");
  expect(countTasks(tasks.toReversed())).toBe("1 sent, 2 nothing wrong, 1 refused, 1 stale");
  expect(countEnded({ stale: 1, refused: 1_200, applied: 0 })).toBe("1,200 refused, 1 stale");
});

test("only a host that said so is as it was: one that is not heard of may be changed", () => {
  expect(countChanged({ refused: 3, stale: 1, rolled_back: 2 })).toBe(0);
  expect(countChanged({ refused: 3, applied: 2, unknown: 1, failed_after_change: 1 })).toBe(4);
});

test("a host that is not heard of may still answer", () => {
  expect(taskStates.filter(isTaskEnd)).toEqual([
    "applied",
    "rolled_back",
    "failed_before_change",
    "failed_after_change",
    "refused",
    "stale",
  ]);
});

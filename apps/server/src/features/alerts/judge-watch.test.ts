import { type AlertWatch, metricNames } from "@gatehouse/contract";
import { describe, expect, test } from "vitest";
import { judgeWatch, type WatchRun, type Sight } from "./judge-watch.ts";

const minute = 60_000;
const begin = 1_800_000_000_000;
const disk: AlertWatch = {
  kind: "metric",
  metric: "disk",
  crosses: "above",
  threshold: 90,
  holdMinutes: 3,
  recover: { threshold: 85, minutes: 2 },
};
const low: AlertWatch = { ...disk, crosses: "below", threshold: 10, recover: { threshold: 20, minutes: 2 } };
const offline: AlertWatch = { kind: "offline", holdMinutes: 2 };
const flapping: AlertWatch = { kind: "flapping", times: 4, minutes: 20 };

const sight = (more: Partial<Sight> = {}): Sight => ({
  id: "node_a",
  name: "a",
  tags: [],
  state: "online",
  since: begin,
  minutes: [],
  comebacks: [],
  ...more,
});

const valuesOf = (value: number | null) => metricNames.map((name) => (name === "disk" ? value : 1));

/** A minute for each value; `undefined` is a minute of which nothing came. */
function minutesOf(values: readonly (number | null | undefined)[], from = begin) {
  return values.flatMap((value, n) =>
    value === undefined ? [] : [{ at: from + n * minute, values: valuesOf(value) }],
  );
}

/** One look for each minute, as a server that runs has it. */
function judgeEach(watch: AlertWatch, values: readonly (number | null | undefined)[], before?: WatchRun) {
  let run = before;
  let verdict = judgeWatch(watch, run, sight(), { now: begin, watchedMs: 0 });
  for (const [n, value] of values.entries()) {
    const minutes = minutesOf([value], begin + n * minute);
    verdict = judgeWatch(watch, run, sight({ minutes }), { now: begin + (n + 1) * minute, watchedMs: n * minute });
    run = verdict.run;
  }
  return verdict;
}

describe("a metric", () => {
  test.each<[string, AlertWatch, (number | null | undefined)[], boolean]>([
    ["is not crossed before it has held", disk, [91, 92], false],
    ["is crossed when it has held", disk, [91, 92, 93], true],
    ["stays crossed for as long as it holds", disk, [91, 92, 93, 94, 95], true],
    ["is not crossed at the threshold itself", disk, [90, 90, 90], false],
    ["counts anew after a minute that is not beyond it", disk, [91, 92, 89, 91, 92], false],
    ["keeps what it counted over a minute of which nothing came", disk, [91, undefined, 92, undefined, 93], true],
    ["keeps what it counted over a minute without a value", disk, [91, null, 92, null, 93], true],
    ["does not count a minute without a value", disk, [91, null, 92], false],
    ["counts anew after a gap of more than ten minutes", disk, [91, 92, ...Array<undefined>(10), 93], false],
    ["counts on after one of ten", disk, [91, 92, ...Array<undefined>(9), 93], true],
    ["is crossed from below", low, [9, 8, 7], true],
    ["is not crossed from below by what is above", low, [11, 91, 92], false],
  ])("%s", (_, watch, values, isCrossed) => {
    expect(judgeEach(watch, values).crossed !== undefined).toBe(isCrossed);
  });

  test.each<[string, AlertWatch, (number | null | undefined)[], boolean]>([
    ["is not over after one good minute", disk, [95, 80], false],
    ["is over after as many as the rule says", disk, [95, 80, 80], true],
    ["is over at the threshold of recovery itself", disk, [95, 85, 85], true],
    ["is not over between the thresholds", disk, [95, 86, 86, 86], false],
    ["counts good minutes anew after one that is not", disk, [80, 86, 80], false],
    ["is not over by minutes without a value", disk, [80, null, null], false],
    ["is not over by minutes of which nothing came", disk, [80, undefined, undefined], false],
    ["recovers upwards", low, [5, 20, 21], true],
  ])("%s", (_, watch, values, isOver) => {
    expect(judgeEach(watch, values).isOver).toBe(isOver);
  });

  test("says since when it was beyond the threshold, and the newest value", () => {
    expect(judgeEach(disk, [80, 91, undefined, 92, 93]).crossed).toEqual({ since: begin + minute, value: 93 });
  });

  test("gives the same for minutes that come together as for minutes that come one by one", () => {
    const values = [91, 92, 80, null, 93, 94, 95];
    const together = judgeWatch(disk, undefined, sight({ minutes: minutesOf(values) }), { now: begin, watchedMs: 0 });
    expect(together).toEqual(judgeEach(disk, values));
    expect(together.crossed?.since).toBe(begin + 4 * minute);
  });

  test("says at the next look again what was not kept at this one", () => {
    const first = judgeEach(disk, [91, 92, 93]);
    const again = judgeWatch(disk, first.run, sight({ state: "offline" }), { now: begin + 9 * minute, watchedMs: 0 });
    expect(again.crossed).toEqual(first.crossed);
  });
});

describe("a node that is offline", () => {
  const look = { now: begin + 10 * minute, watchedMs: 0 };
  test.each<[string, Partial<Sight>, boolean, boolean]>([
    ["is not away before the rule says", { state: "offline", since: look.now - minute }, false, false],
    ["is away then", { state: "offline", since: look.now - 2 * minute }, true, false],
    ["is over when it is back", { state: "online", since: look.now }, false, true],
    ["is neither while nobody knows", { state: "unknown", since: undefined }, false, false],
  ])("%s", (_, more, isCrossed, isOver) => {
    const verdict = judgeWatch(offline, undefined, sight(more), look);
    expect([verdict.crossed !== undefined, verdict.isOver]).toEqual([isCrossed, isOver]);
  });

  test("counts from the first look where nobody saw it go", () => {
    const gone = sight({ state: "offline", since: undefined });
    const first = judgeWatch(offline, undefined, gone, look);
    expect(first.crossed).toBeUndefined();
    const later = judgeWatch(offline, first.run, gone, { ...look, now: look.now + 2 * minute });
    expect(later.crossed).toEqual({ since: look.now, value: null });
  });

  test("counts anew when it has been back", () => {
    const gone = sight({ state: "offline", since: undefined });
    const first = judgeWatch(offline, undefined, gone, look);
    expect(judgeWatch(offline, first.run, sight(), look).run).toBeUndefined();
  });

  test("alerts at once where the rule says so", () => {
    const gone = sight({ state: "offline", since: look.now });
    expect(judgeWatch({ kind: "offline", holdMinutes: 0 }, undefined, gone, look).crossed).toBeDefined();
  });
});

describe("a node that comes and goes", () => {
  const look = { now: begin, watchedMs: 60 * minute };
  const ago = (...minutes: number[]) => sight({ comebacks: minutes.map((n) => n * minute) });
  test.each<[string, Sight, number, boolean, boolean]>([
    ["is not flapping below the number", ago(1, 2, 3), 60, false, false],
    ["is flapping at it", ago(1, 2, 3, 4), 60, true, false],
    ["does not count what is longer ago than the rule looks", ago(1, 2, 3, 21), 60, false, false],
    ["is over at half as often", ago(1, 2, 30, 31), 60, false, true],
    ["is not over before somebody has looked for so long", ago(), 19, false, false],
    ["is over then", ago(), 20, false, true],
  ])("%s", (_, seen, watched, isCrossed, isOver) => {
    const verdict = judgeWatch(flapping, undefined, seen, { ...look, watchedMs: watched * minute });
    expect([verdict.crossed !== undefined, verdict.isOver]).toEqual([isCrossed, isOver]);
  });

  test("says how often, and since when", () => {
    const verdict = judgeWatch(flapping, undefined, ago(9, 2, 5, 4, 1), look);
    expect(verdict.crossed).toEqual({ since: begin - 9 * minute, value: 5 });
  });
});

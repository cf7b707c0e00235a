import { expect, test } from "vitest";
import { suites } from "../ci.ts";
import { readText } from "../repository.ts";
import { planRuns, runInLanes } from "./run-gate.ts";
import { lanes } from "./suite.ts";

const { scripts } = JSON.parse(readText("package.json")) as { scripts: Record<string, string> };

test("every suite runs once in its short form, and once more for each seed that found something before", () => {
  const kept = [
    { suite: "crash", seed: 77, only: "cuts", why: "a run with the number 0" },
    { suite: "e2e", seed: 5, why: "a name with a link in it" },
  ];
  const words = planRuns(suites, kept).map(({ script, args }) => [script, ...args].join(" "));
  expect(words.filter((line) => line.endsWith(" --short"))).toEqual(
    Object.keys(suites).map((name) => `${name} --short`),
  );
  expect(words.filter((line) => !line.endsWith(" --short"))).toEqual([
    "crash --short --seed 77 --only cuts",
    "e2e --short --seed 5",
  ]);
});

test("every suite is run once, one of a lane at a time, and two at a time beside what runs alone", async () => {
  const orders = planRuns(suites, []);
  const under = new Map<string, number>();
  const most = new Map<string, number>();
  const ran: string[] = [];
  const runs = await runInLanes(orders, async ({ script, suite }) => {
    const lane = String(suite.lane);
    if (lane === "alone" || lane === "beside")
      expect(lanes.map((name) => under.get(String(name)) ?? 0)).toEqual([0, 0, 0]);
    under.set(lane, (under.get(lane) ?? 0) + 1);
    most.set(lane, Math.max(most.get(lane) ?? 0, under.get(lane) ?? 0));
    // Others get their turn.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    ran.push(script);
    under.set(lane, (under.get(lane) ?? 0) - 1);
    return script;
  });
  expect(runs).toEqual(Object.keys(suites));
  expect(ran.toSorted()).toEqual(Object.keys(suites).toSorted());
  expect(Object.fromEntries(most)).toEqual({ 1: 1, 2: 1, 3: 1, alone: 1, beside: 2 });
});

test("a suite of a lane that nobody runs is no success", async () => {
  const orders = [{ suite: { lane: 4 as never } }];
  await expect(runInLanes(orders, () => Promise.resolve())).rejects.toThrow("a suite of the lane 4 was never run");
});

test("every suite of the gate is a script of the repository, and no bench is one: figures decide nothing", () => {
  for (const name of Object.keys(suites)) expect(scripts[name]).toMatch(/^node \S+\.ts$/);
  expect(Object.keys(suites).filter((name) => name.startsWith("bench:"))).toEqual([]);
});

test("the shares of a lane fit into the twenty minutes of the gate", () => {
  for (const lane of lanes) {
    const minutes = Object.values(suites).filter((suite) => suite.lane === lane);
    expect(minutes.reduce((sum, suite) => sum + suite.minutes, 0)).toBeLessThanOrEqual(20);
  }
});

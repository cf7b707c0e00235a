import { expect, test } from "vitest";
import { suites } from "../ci.ts";
import { readText } from "../repository.ts";
import { planRuns } from "./run-gate.ts";
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

import { expect, test } from "vitest";
import { compareRuns } from "./compare-runs.ts";
import type { TestResult } from "./test-results.ts";

const cuts: TestResult = { name: "cuts", verdict: "passed", counts: { cuts: 4_000, kills: 3 } };
const ran = (...results: TestResult[]) => [{ title: "crash", results }];

test("two runs that did the same differ in nothing, in whatever order they did it", () => {
  const kills: TestResult = { name: "kills", verdict: "passed" };
  expect(compareRuns(ran(cuts, kills), ran(kills, { ...cuts, counts: { kills: 3, cuts: 4_000 } }))).toEqual([]);
});

test("another verdict, another count and a test that only one run had are differences", () => {
  expect(compareRuns(ran(cuts), ran({ ...cuts, verdict: "failed" }))).toEqual([
    "crash: cuts: passed, 3 kills, 4000 cuts, then failed, 3 kills, 4000 cuts",
  ]);
  expect(compareRuns(ran(cuts), ran({ ...cuts, counts: { cuts: 3_999, kills: 3 } }))).toHaveLength(1);
  expect(compareRuns(ran(cuts), ran())).toEqual(["crash: cuts: passed, 3 kills, 4000 cuts, then not there"]);
});

test("two tests of one name are compared together", () => {
  expect(compareRuns(ran(cuts, cuts), ran(cuts))).toHaveLength(1);
});

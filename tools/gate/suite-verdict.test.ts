import { expect, test } from "vitest";
import { judgeSuite } from "./suite-verdict.ts";
import type { TestResult } from "./test-results.ts";

const passes = (count: number): TestResult[] =>
  Array.from({ length: count }, (_, at) => ({ name: `test ${at}`, verdict: "passed" }));
const ran = (output: string, results: readonly TestResult[] = [], code = 0, timedOut = false) =>
  judgeSuite({ output, code, timedOut }, results, (name) => name === "the shaky one");

test("a suite that passed counts its tests", () => {
  expect(ran("12 passed, 0 failed\n", passes(12))).toMatchObject({ passed: 12, failed: 0, word: "ok" });
});

test("failed tests count even when the suite forgot its exit code", () => {
  expect(ran("10 passed, 2 failed\n", passes(10))).toMatchObject({ passed: 10, failed: 2, word: "failed" });
});

test("a suite that prints no tally is a failure", () => {
  expect(ran("all good\n")).toMatchObject({ passed: 0, failed: 1, word: "no tally", lastLine: "all good" });
});

test("a suite that ran no test is a failure", () => {
  expect(ran("0 passed, 0 failed, 7 skipped\n")).toMatchObject({ failed: 1, word: "no tests" });
});

test("a suite that exits badly after a good tally is a failure", () => {
  expect(ran("12 passed, 0 failed\n", passes(12), 139)).toMatchObject({ passed: 12, failed: 1, word: "exit 139" });
});

test("a suite that was stopped is a failure", () => {
  expect(ran("12 passed, 0 failed\n", passes(12), 1, true)).toMatchObject({ passed: 12, failed: 1, word: "stopped" });
  expect(ran("", [], 1, true)).toMatchObject({ passed: 0, failed: 1, word: "stopped" });
});

test("a suite that does not list what it counted is a failure: nobody could compare two of its runs", () => {
  expect(ran("12 passed, 0 failed\n", passes(11))).toMatchObject({ failed: 1, word: "tests not listed" });
});

test("a test in quarantine runs and counts for nothing, whether it passed or failed", () => {
  const shaky = (verdict: TestResult["verdict"]): TestResult => ({ name: "the shaky one", verdict });
  const bad = ran("12 passed, 1 failed\n", [...passes(12), shaky("failed")], 1);
  expect(bad).toMatchObject({ passed: 12, failed: 0, word: "ok", quarantined: [shaky("failed")] });
  const good = ran("13 passed, 0 failed\n", [...passes(12), shaky("passed")]);
  expect(good).toMatchObject({ passed: 12, failed: 0, word: "ok", quarantined: [shaky("passed")] });
  expect(ran("11 passed, 2 failed\n", [...passes(11), shaky("failed")], 1)).toMatchObject({
    failed: 1,
    word: "failed",
  });
});

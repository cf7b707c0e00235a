import { expect, test } from "vitest";
import { judgeSuite } from "./suite-verdict.ts";

const ran = (output: string, code = 0, timedOut = false) => judgeSuite({ output, code, timedOut });

test("a suite that passed counts its tests", () => {
  expect(ran("12 passed, 0 failed\n")).toMatchObject({ passed: 12, failed: 0, word: "ok" });
});

test("failed tests count even when the suite forgot its exit code", () => {
  expect(ran("10 passed, 2 failed\n")).toMatchObject({ passed: 10, failed: 2, word: "failed" });
});

test("a suite that prints no tally is a failure", () => {
  expect(ran("all good\n")).toMatchObject({ passed: 0, failed: 1, word: "no tally", lastLine: "all good" });
});

test("a suite that ran no test is a failure", () => {
  expect(ran("0 passed, 0 failed, 7 skipped\n")).toMatchObject({ failed: 1, word: "no tests" });
});

test("a suite that exits badly after a good tally is a failure", () => {
  expect(ran("12 passed, 0 failed\n", 139)).toMatchObject({ passed: 12, failed: 1, word: "exit 139" });
});

test("a suite that was stopped at its time limit is a failure", () => {
  expect(ran("12 passed, 0 failed\n", 1, true)).toMatchObject({ passed: 12, failed: 1, word: "timed out" });
  expect(ran("", 1, true)).toMatchObject({ passed: 0, failed: 1, word: "timed out" });
});

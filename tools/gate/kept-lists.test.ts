import { expect, test } from "vitest";
import { suites } from "../ci.ts";
import { findQuarantineFlaws, readQuarantine, readSeeds } from "./kept-lists.ts";

const shaky = { name: "crash: cuts", since: "2026-11-01", why: "fails one time in a hundred", until: "2026-11-30" };

test("every test in quarantine has a reason and a date that has not passed, and there are at most five", () => {
  expect(findQuarantineFlaws(readQuarantine(), new Date().toISOString().slice(0, 10))).toEqual([]);
});

test("a list that is too long, a date that has passed and a missing reason are refused", () => {
  expect(findQuarantineFlaws([shaky], "2026-11-30")).toEqual([]);
  expect(findQuarantineFlaws([shaky], "2026-12-01")).toHaveLength(1);
  expect(findQuarantineFlaws([{ ...shaky, why: "flaky" }], "2026-11-15")).toHaveLength(1);
  expect(
    findQuarantineFlaws(
      Array.from({ length: 6 }, () => shaky),
      "2026-11-15",
    ),
  ).toHaveLength(1);
});

test("every seed that the gate keeps belongs to a suite of the gate and says what it found", () => {
  const odd = readSeeds().filter(
    ({ suite, seed, why }) => !(suite in suites) || !Number.isSafeInteger(seed) || why.length < 10,
  );
  expect(odd).toEqual([]);
});

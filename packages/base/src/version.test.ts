import { expect, test } from "vitest";
import { stoppedIfEndless } from "../../../tests/support/stopped-if-endless.ts";
import { compareVersions, versionPattern } from "./version.ts";

/** Semver 2.0.0 section 11, and numbers that no double can hold. */
const ascending = [
  "0.0.0",
  "0.0.1",
  "0.9.10",
  "0.10.0",
  "1.0.0--",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.1.0",
  "1.0.0-alpha.beta",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0",
  "2.0.0-9007199254740993",
  "2.0.0-9007199254740994",
  "2.0.0-90071992547409930",
  "2.0.0",
  "2.1.0",
  "2.1.1",
  "9007199254740993.0.0",
  "90071992547409930.0.0",
];

test("versions are ordered as semver orders them, in both directions", () => {
  for (const [i, a] of ascending.entries()) {
    for (const [j, b] of ascending.entries()) expect(compareVersions(a, b), `${a} ${b}`).toBe(Math.sign(i - j));
  }
});

test("what is not a strict version is not one", () => {
  const wrong = [
    "",
    "1",
    "1.0",
    "1.0.0.0",
    "v1.0.0",
    "01.0.0",
    "1.0.0-",
    "1.0.0-01",
    "1.0.0-a..b",
    "1.0.0+build",
    "1.0.0-rc_1",
    "1.0.0\n",
    " 1.0.0",
    "1.0.0-é",
    "-1.0.0",
    "١.0.0",
  ];
  expect(wrong.filter((version) => versionPattern.test(version))).toEqual([]);
  expect(() => compareVersions("1.0.0", "1.0")).toThrow("not a semantic version");
});

test("a hostile version is judged in one pass: with one for each character this would not end", () => {
  const size = 1024 * 1024;
  for (const text of [`1.0.0-${"a-".repeat(size)}.`, `1.0.0-${"0".repeat(2 * size)}`, "1.".repeat(size)]) {
    expect(stoppedIfEndless("judging a version", () => versionPattern.test(text))).toBe(false);
  }
});

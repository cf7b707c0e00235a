import fc from "fast-check";
import { expect, test } from "vitest";
import { gateSeed } from "./ci.ts";
import { parseSeed, seedVariable, testSeed } from "./test-seed.ts";

test("the seed is the gate's unless the environment names another", () => {
  expect(testSeed({})).toBe(gateSeed);
  expect(testSeed({ [seedVariable]: "4711" })).toBe(4711);
});

test("what is no seed is refused, not taken for another one", () => {
  for (const text of ["", "x", "-1", "1.5", "1e3", " 1", String(2 ** 31)]) {
    expect(() => parseSeed(text)).toThrow(`found "${text}"`);
  }
});

test("every property that is tested anywhere draws from this seed", () => {
  expect(fc.readConfigureGlobal().seed).toBe(testSeed(process.env));
  const drawn = () => fc.check(fc.property(fc.nat(), () => true)).seed;
  expect([drawn(), drawn()]).toEqual([testSeed(process.env), testSeed(process.env)]);
});

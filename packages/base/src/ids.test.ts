import { expect, test } from "vitest";
import { newId } from "./ids.ts";

test("an id names its kind and sorts by age", () => {
  const older = newId("usr", 1_700_000_000_000);
  const newer = newId("usr", 1_700_000_000_001);
  expect(older).toMatch(/^usr_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(older < newer).toBe(true);
});

test("two ids of the same moment differ", () => {
  const ids = new Set(Array.from({ length: 10_000 }, () => newId("req", 1_700_000_000_000)));
  expect(ids.size).toBe(10_000);
});

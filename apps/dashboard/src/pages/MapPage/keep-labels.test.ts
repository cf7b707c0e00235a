import { expect, test } from "vitest";
import { isTurned, keepLabels } from "./keep-labels.ts";

const screen = { width: 800, height: 600 };
const disc = (key: string, x: number, radius = 12, exceptions = 0) => ({
  key,
  x,
  y: 200,
  radius,
  label: key,
  exceptions,
});

test("labels that would meet give way to that of the larger disc, and what has room is kept", () => {
  const kept = keepLabels([disc("small-place", 130), disc("large-place", 100, 20), disc("far-place", 500)], screen);
  expect([...kept]).toEqual(["large-place", "far-place"]);
  expect(keepLabels([{ ...disc("unnamed", 300), label: "" }], screen).size).toBe(0);
});

test("exceptions turn inwards at the right edge alone", () => {
  expect(isTurned(disc("edge", 770, 12, 1), screen)).toBe(true);
  expect(isTurned(disc("edge", 770), screen)).toBe(false);
  expect(isTurned(disc("middle", 400, 12, 3), screen)).toBe(false);
});

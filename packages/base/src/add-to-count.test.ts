import { expect, test } from "vitest";
import { addToCount } from "./add-to-count.ts";

test("a count goes up and down, and at nothing its key is forgotten", () => {
  const counts = new Map<string, number>();
  addToCount(counts, "a", 1);
  addToCount(counts, "a", 2);
  addToCount(counts, "b", 1);
  expect(counts).toEqual(
    new Map([
      ["a", 3],
      ["b", 1],
    ]),
  );
  addToCount(counts, "a", -2);
  addToCount(counts, "b", -1);
  expect(counts).toEqual(new Map([["a", 1]]));
});

test("a count that goes below nothing is nothing", () => {
  const counts = new Map([["a", 1]]);
  addToCount(counts, "a", -5);
  addToCount(counts, "b", -1);
  expect(counts.size).toBe(0);
});

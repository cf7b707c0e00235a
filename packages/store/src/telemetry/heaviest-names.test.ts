import { expect, test } from "vitest";
import { boundNames, heaviestNames } from "./heaviest-names.ts";

test("the names with the most lines come first, and those alike by name", () => {
  const sums = new Map(Object.entries({ d: 1, b: 2, a: 2, c: 9, e: 1 }));
  expect(heaviestNames(sums, 4)).toEqual(Object.entries({ c: 9, a: 2, b: 2, d: 1 }));
  expect(heaviestNames(sums, 99)).toHaveLength(5);
  expect(heaviestNames(new Map(), 5)).toEqual([]);
});

test("names without end are a bounded number, and those with many lines stay exact", () => {
  const sums = new Map<string, number>();
  let most = 0;
  for (let n = 0; n < 200_000; n += 1) {
    sums.set(`made up ${n}`, 1);
    if (n % 100 === 0) sums.set("nginx.service", (sums.get("nginx.service") ?? 0) + 1);
    boundNames(sums);
    most = Math.max(most, sums.size);
  }
  expect(most).toBeLessThanOrEqual(40_001);
  expect(heaviestNames(sums, 1)).toEqual([["nginx.service", 2_000]]);
});

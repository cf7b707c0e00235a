import { expect, test } from "vitest";
import { linePath } from "./line-path.ts";

const from = { x: 100, y: 200, radius: 10 };
const to = { x: 300, y: 200, radius: 20 };

test("a straight line goes from rim to rim", () => {
  expect(linePath(from, to, false)).toEqual({
    d: "M113.0 200.0Q200.0 200.0 277.0 200.0",
    middle: { x: 197.5, y: 200 },
  });
});

test("an arc bends upwards on the screen, whichever end is first", () => {
  expect(linePath(from, to, true).middle.y).toBeLessThan(190);
  expect(linePath(to, from, true).middle.y).toBeCloseTo(linePath(from, to, true).middle.y);
});

test("two discs that nearly touch have a line all the same", () => {
  expect(linePath(from, { ...from, x: 106 }, false).d).not.toContain("NaN");
  expect(linePath(from, from, true).d).not.toContain("NaN");
});

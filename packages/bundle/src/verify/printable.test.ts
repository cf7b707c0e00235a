import { expect, test } from "vitest";
import { describeValue, printable } from "./printable.ts";

test("what moves a cursor, turns the direction or hides is shown as an escape", () => {
  expect(printable("a\u001b[2Jb\r\n\u202ec\u200bd\u00a0e\ue000f\ud800")).toBe(
    "a\\u{1b}[2Jb\\u{d}\\u{a}\\u{202e}c\\u{200b}d\\u{a0}e\\u{e000}f\\u{d800}",
  );
  expect(printable("Línien 线路 \u{1f310}")).toBe("Línien 线路 \u{1f310}");
});

test("what is long is cut, between characters", () => {
  expect(printable("x".repeat(81))).toBe(`${"x".repeat(80)}…`);
  expect(printable("\u{1f310}".repeat(3), 2)).toBe("\u{1f310}\u{1f310}…");
  expect(printable("\u{1f310}".repeat(2), 2)).toBe("\u{1f310}\u{1f310}");
  expect(printable("x".repeat(10_000_000), 3)).toBe("xxx…");
});

test("a value is described without its inside", () => {
  const values = [undefined, null, true, 7, "x", [], [1], [1, 2], { a: 1 }];
  expect(values.map(describeValue)).toEqual([
    "nothing",
    "null",
    "true",
    "7",
    '"x"',
    "an array of 0 items",
    "an array of 1 item",
    "an array of 2 items",
    "an object",
  ]);
});

import { expect, test } from "vitest";
import { stoppedIfEndless } from "../tests/support/stopped-if-endless.ts";

test("what ends is handed on, whether it is a value or an error", () => {
  expect(stoppedIfEndless("adding", () => 1 + 1)).toBe(2);
  const error = new TypeError("as it was thrown");
  expect(() =>
    stoppedIfEndless("throwing", () => {
      throw error;
    }),
  ).toThrow(error);
});

test("a loop and a pattern that go back and forth without end are stopped, and named", () => {
  expect(() =>
    stoppedIfEndless(
      "a loop",
      () => {
        for (;;);
      },
      10,
    ),
  ).toThrow("stopped after 0.01 s: a loop");
  expect(() => stoppedIfEndless("a pattern", () => /^(a+)+$/.test(`${"a".repeat(60)}!`), 10)).toThrow("a pattern");
});

import { expect, test } from "vitest";
import { parseDuration } from "./parse-duration.ts";

const rules = { option: "--expires", topic: "token issue", least: 60, most: 90 * 24 * 3_600 };

test.each([
  ["1m", 60],
  ["90m", 5_400],
  ["24h", 86_400],
  ["90d", 7_776_000],
])("%s is %i seconds", (text, seconds) => {
  expect(parseDuration(text, rules)).toBe(seconds);
});

test.each(["", "24", "h", "0h", "-1h", "1.5h", "24 h", "1w", "1H", "١h", "1e3h", "1234567h"])(
  "%j is refused",
  (text) => {
    expect(() => parseDuration(text, rules)).toThrow("minutes, hours or days");
  },
);

test("what is out of bounds is refused with the bounds, not clamped", () => {
  expect(() => parseDuration("91d", rules)).toThrow("from 1m to 90d; found 91d");
  expect(() => parseDuration("1m", { ...rules, least: 3_600 })).toThrow("from 1h to 90d");
});

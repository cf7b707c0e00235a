import { expect, test } from "vitest";
import { barWords, drawBars, sayBar, sayBars, sumBars } from "./log-bars.ts";

const bar = (error: number, warning: number, info: number, dropped = 0) => ({ error, warning, info, dropped });

test("the fullest bar reaches the top", () => {
  expect(drawBars([bar(1, 1, 8), bar(0, 0, 5), bar(0, 0, 0)])).toEqual([
    { error: 10, warning: 10, info: 80, dropped: 0 },
    { error: 0, warning: 0, info: 50, dropped: 0 },
    { error: 0, warning: 0, info: 0, dropped: 0 },
  ]);
});

test("dropped lines have room of their own on top, however many they are, and a few are seen", () => {
  const [first, second] = drawBars([bar(0, 0, 10, 4_000), bar(0, 0, 5, 1)]);
  expect(first).toEqual({ error: 0, warning: 0, info: 72, dropped: 28 });
  expect(second).toMatchObject({ info: 36, dropped: 10 });
});

test("without lines nothing is drawn, and that is said", () => {
  expect(drawBars([])).toEqual([]);
  expect(drawBars([bar(0, 0, 0)])).toEqual([{ error: 0, warning: 0, info: 0, dropped: 0 }]);
  expect(sayBars({ bars: [bar(0, 0, 0)], from: "2026-11-17T02:12:00.000Z", stepSeconds: 60 })).toBe(
    "No lines. A bar is a minute.",
  );
});

test("bars are summed and said", () => {
  const bars = [bar(1, 0, 4), bar(2, 3, 2_000, 4_120)];
  expect(sumBars(bars)).toEqual({ lines: 2_010, error: 3, warning: 3, info: 2_004, dropped: 4_120 });
  const from = "2026-11-17T02:46:00.000Z";
  expect(sayBars({ bars, from, stepSeconds: 60 })).toBe(
    "2,010 lines, 3 error, 3 warning, 4,120 dropped on the host. Most at 02:47: 2,005. A bar is a minute.",
  );
  const now = Date.parse("2026-11-17T03:12:40Z");
  const at = Date.parse("2026-11-17T02:47:00Z");
  expect(sayBar(bar(2, 3, 36, 4_120), at, { stepSeconds: 60, now })).toBe(
    "02:47, 41 lines, 2 error, 3 warning, 4,120 dropped on the host",
  );
  expect(sayBar(bar(0, 0, 1), at + 5_000, { stepSeconds: 5, now })).toBe("02:47:05, 1 line");
});

test.each([
  [5, "a bar is 5 s"],
  [60, "a bar is a minute"],
  [1_800, "a bar is 30 min"],
  [86_400, "a bar is a day"],
])("%i seconds: %s", (seconds, words) => {
  expect(barWords(seconds)).toBe(words);
});

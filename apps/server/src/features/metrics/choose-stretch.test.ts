import { metricLimits } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { chooseStretch } from "./choose-stretch.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.UTC(2026, 10, 19, 17, 31, 20);
const end = Date.UTC(2026, 10, 19, 17, 32);
const unsaid = { points: metricLimits.unsaidPoints };

test("unless said otherwise it is the last hour, a point a minute, with the running minute", () => {
  expect(chooseStretch(unsaid, now)).toEqual({ from: end - hour, to: end, stepMs: minute });
});

test("points are as short as their number allows, and begin where people read a clock", () => {
  const lengths = [2 * hour, 5 * hour, day, 7 * day, 30 * day, 366 * day];
  const chosen = lengths.map((length) => chooseStretch({ from: now - length, to: now, ...unsaid }, now));
  expect(chosen.map(({ stepMs }) => stepMs / minute)).toEqual([1, 2, 10, 60, 240, 2 * 24 * 60]);
  for (const [n, { from, to, stepMs }] of chosen.entries()) {
    expect(from % stepMs).toBe(0);
    expect(from).toBeLessThanOrEqual(now - (lengths[n] ?? 0));
    expect(to).toBeGreaterThanOrEqual(now);
    expect((to - from) / stepMs).toBeLessThanOrEqual(metricLimits.unsaidPoints);
  }
});

test("a day by the minute can be asked for, and a year in two points", () => {
  const to = Date.UTC(2026, 10, 19);
  expect(chooseStretch({ from: to - day, to, points: 1_440 }, now)).toEqual({ from: to - day, to, stepMs: minute });
  for (const shift of [0, 1, 17, 200]) {
    const asked = { from: to - (366 + shift) * day, to: to - shift * day, points: 2 };
    const { from, to: covered, stepMs } = chooseStretch(asked, now);
    expect((covered - from) / stepMs).toBeLessThanOrEqual(2);
  }
});

test("it ends now at the latest", () => {
  expect(chooseStretch({ from: now - hour, to: now + 400 * day, ...unsaid }, now).to).toBe(end);
});

test("what ends before it begins, begins in the future or is too long is refused", () => {
  const refused = [
    { from: now, to: now - hour },
    { from: now + day },
    { from: now - 367 * day },
    { from: -8.7e15, to: 0 },
  ];
  for (const asked of refused) {
    expect(() => chooseStretch({ ...asked, ...unsaid }, now)).toThrow(
      expect.objectContaining({ code: "metrics.stretch" }),
    );
  }
});

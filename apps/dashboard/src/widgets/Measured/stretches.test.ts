import { expect, test } from "vitest";
import { goingStretches, pointsFor, stepWords, wholeMinutes, zoomed } from "./stretches.ts";

const minute = 60_000;
const now = Date.parse("2026-11-17T03:12:40Z");

/** As the server takes it: the first of these of which so many cover the stretch, and a bit of it to both sides. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1_440];
const stepOf = (lengthMs: number, points: number) => steps.find((step) => lengthMs / minute / step + 2 <= points);

test.each([
  ["hour", 1],
  ["day", 5],
  ["week", 30],
  ["month", 120],
] as const)("of the last %s each point is %d min", (name, minutes) => {
  const stretch = goingStretches[name];
  expect(stepOf(stretch.lastMs, pointsFor(stretch))).toBe(minutes);
});

test("no stretch asks for more points than a screen shows, or for less than two", () => {
  for (let length = minute; length <= 366 * 86_400_000; length *= 1.3) {
    const points = pointsFor({ from: 0, to: length });
    expect(points).toBeGreaterThanOrEqual(2);
    expect(points).toBeLessThanOrEqual(400);
  }
});

test("the length of a point is said", () => {
  expect([60, 300, 7_200].map(stepWords)).toEqual(["a value a minute", "a value per 5 min", "a value per 2 h"]);
});

test("a stretch is whole minutes, no shorter than ten, and none of it is to come", () => {
  const at = (text: string) => Date.parse(`2026-11-17T${text}Z`);
  expect(wholeMinutes(at("02:30:20"), at("02:50:10"), now)).toEqual({ from: at("02:30:00"), to: at("02:51:00") });
  expect(wholeMinutes(at("02:30:20"), at("02:31:00"), now)).toEqual({ from: at("02:21:00"), to: at("02:31:00") });
  expect(wholeMinutes(at("02:30:20"), at("09:31:00"), now)).toEqual({ from: at("02:30:00"), to: at("03:12:00") });
});

test("zooming keeps the moment in its place, and closer than ten minutes there is nothing", () => {
  const at = (text: string) => Date.parse(`2026-11-17T${text}:00Z`);
  const view = { from: at("02:00"), to: at("03:00") };
  expect(zoomed(view, at("02:40"), 0.5, now)).toEqual({ from: at("02:20"), to: at("02:50") });
  expect(zoomed(view, at("02:40"), 0.01, now)).toEqual({ from: at("02:33"), to: at("02:44") });
  expect(zoomed(view, at("02:40"), 2, now)).toEqual({ from: at("01:20"), to: at("03:12") });
});

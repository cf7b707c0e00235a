import { expect, test } from "vitest";
import { alignCurves, largestOf, pointAt, rowAt, viewOf } from "./measured-points.ts";
import { sampleMetrics } from "./sample-metrics.ts";

const at = (clock: string) => Date.parse(`2026-11-17T${clock}Z`);
const six = sampleMetrics({ means: { cpu: [10, 20, null, 40, 30, null] } });
const view = { from: at("02:12:00"), to: at("02:16:00") };

test("the view ends with the newest point that any node has measured", () => {
  const behind = sampleMetrics({ means: { cpu: [1, 2, 3, null, null, null] } });
  expect(viewOf([behind, six])).toEqual(view);
  expect(viewOf([])).toBeUndefined();
});

test("a host that has been silent for longer does not shorten the view: what is missing is shown as missing", () => {
  const silent = sampleMetrics({ means: { cpu: [1, null, null, null, null, null] } });
  expect(viewOf([silent])).toEqual({ from: at("02:12:00"), to: at("02:17:00") });
});

test("nothing measured is a view all the same", () => {
  const none = sampleMetrics({ means: { cpu: [null, null, null] } });
  expect(viewOf([none])).toEqual({ from: at("02:12:00"), to: at("02:14:00") });
});

test("a moment is in the point that began last", () => {
  expect(pointAt(six, at("02:12:00"))).toBe(0);
  expect(pointAt(six, at("02:13:59"))).toBe(1);
  expect(pointAt(six, at("02:11:59"))).toBeUndefined();
  expect(pointAt(six, at("02:18:00"))).toBeUndefined();
});

test("the row at a moment: then, least, most, now, and what is missing", () => {
  const row = (clock: string) => rowAt(six, "cpu", at(clock), view);
  expect(row("02:13:00")).toEqual({ value: 20, least: 9, most: 44, now: 30, missing: 1 });
  expect(row("02:14:00").value).toBeNull();
  const last = sampleMetrics({ means: { cpu: [10, 20] }, latest: { cpu: 21 } });
  expect(rowAt(last, "cpu", at("02:12:00"), view).now).toBe(21);
  expect(rowAt(last, "disk", at("02:12:00"), view)).toEqual({
    value: null,
    least: null,
    most: null,
    now: null,
    missing: 0,
  });
  const young = sampleMetrics({ means: { cpu: [null, null, 5, null, 6] } });
  expect(rowAt(young, "cpu", at("02:12:00"), view).missing).toBe(1);
});

test("curves of several nodes lie over one row of times; a missing minute stays a gap", () => {
  const { times, curves } = alignCurves([six, sampleMetrics({ means: { cpu: [1, 2, 3, 4, 5, 6] } })], "cpu");
  expect(times).toHaveLength(6);
  expect(curves[0]?.mean).toEqual([10, 20, null, 40, 30, null]);
  expect(curves[1]?.most[5]).toBeCloseTo(6.6);
});

test("of answers on both sides of a minute's end, the one without a point there says nothing of it", () => {
  const later = sampleMetrics({ from: "2026-11-17T02:13:00.000Z", means: { cpu: [1, null, 3] } });
  const { times, curves } = alignCurves([sampleMetrics({ means: { cpu: [7, 8, 9] } }), later], "cpu");
  expect(times).toEqual([at("02:12:00"), at("02:13:00"), at("02:14:00"), at("02:15:00")]);
  expect(curves.map(({ mean }) => mean)).toEqual([
    [7, 8, 9, undefined],
    [undefined, 1, null, 3],
  ]);
});

test("a scale holds what the busiest minute of the busiest node was", () => {
  expect(largestOf([six, sampleMetrics({ means: { cpu: [50], load: [90] } })], "cpu")).toBeCloseTo(55);
  expect(largestOf([six], "cpu", "netIn")).toBeCloseTo(44);
  expect(largestOf([], "cpu")).toBe(0);
});

import { metricLimits, metricNames } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { placeMinutes } from "./place-minutes.ts";

const now = Date.UTC(2026, 0, 1, 12, 0, 20);
const noon = Date.UTC(2026, 0, 1, 12);
const minute = metricLimits.minuteMs;
const sent = (hostTime: number, ...times: number[]) => ({
  t: "~minutes" as const,
  at: hostTime,
  minutes: times.map((at) => ({ at, values: [1] })),
});
const timesOf = (...told: Parameters<typeof sent>) => placeMinutes(sent(...told), now).map(({ at }) => at);

test("minutes of a host whose clock is right stay where they are", () => {
  for (const late of [-29_000, 0, 29_000]) {
    expect(timesOf(now + late, noon - minute, noon - 90 * minute)).toEqual([noon - minute, noon - 90 * minute]);
  }
});

test("a clock that is off moves its minutes by whole minutes, the same way each time they are sent", () => {
  const off = 3 * 3_600_000 + 7_000;
  expect(timesOf(now + off, noon - minute + 3 * 3_600_000)).toEqual([noon - minute]);
  expect(timesOf(now + off + 2_000, noon - minute + 3 * 3_600_000)).toEqual([noon - minute]);
  expect(timesOf(now - off, noon - minute - 3 * 3_600_000)).toEqual([noon - minute]);
});

test("a minute that is too old or not over yet is left out, and one between two minutes belongs to the first", () => {
  const oldest = now - metricLimits.oldestMs;
  expect(timesOf(now, oldest - minute, now + minute, noon - minute + 17)).toEqual([noon - minute]);
});

test("values are what the contract knows, within their bounds", () => {
  const [placed] = placeMinutes({ t: "~minutes", at: now, minutes: [{ at: noon, values: [500] }] }, now);
  expect(placed?.values).toEqual([100, ...metricNames.slice(1).map(() => null)]);
});

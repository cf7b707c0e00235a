import { expect, test } from "vitest";
import { axisTicks, utcMoment, utcStretch } from "./time-axis.ts";

const at = (iso: string) => Date.parse(`2026-11-${iso}:00Z`);
const words = (from: string, to: string, most: number) => axisTicks(at(from), at(to), most).map((tick) => tick.words);

test.each([
  ["17T02:12", "17T03:12", 5, ["02:15", "02:30", "02:45", "03:00"]],
  ["17T02:30", "17T02:33", 5, ["02:30", "02:31", "02:32", "02:33"]],
  ["16T03:12", "17T03:12", 5, ["06:00", "12:00", "18:00", "17 Nov"]],
  ["10T03:12", "17T03:12", 5, ["11 Nov", "13 Nov", "15 Nov", "17 Nov"]],
  ["01T03:12", "30T03:12", 5, ["5 Nov", "12 Nov", "19 Nov", "26 Nov"]],
])("from %s to %s with room for %d", (from, to, most, said) => {
  expect(words(from, to, most)).toEqual(said);
});

test("no stretch has more times than there is room for, and all stand in it", () => {
  const from = at("17T02:12");
  for (let length = 60_000; length < 400 * 86_400_000; length *= 1.37) {
    const ticks = axisTicks(from, from + length, 5);
    expect(ticks.length).toBeLessThanOrEqual(5);
    expect(ticks.every((tick) => tick.at >= from && tick.at <= from + length)).toBe(true);
  }
});

test("the day is said when it is not today", () => {
  const now = at("17T03:12");
  expect(utcMoment(at("17T00:00"), now)).toBe("00:00");
  expect(utcMoment(at("16T23:59"), now)).toBe("16 Nov, 23:59");
  expect(utcStretch(at("17T02:12"), now, now)).toBe("02:12 to 03:12");
  expect(utcStretch(at("16T02:12"), at("16T03:12"), now)).toBe("16 Nov, 02:12 to 03:12");
  expect(utcStretch(at("16T03:12"), now, now)).toBe("16 Nov, 03:12 to 17 Nov, 03:12");
});

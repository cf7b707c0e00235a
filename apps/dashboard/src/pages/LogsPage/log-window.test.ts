import { expect, test } from "vitest";
import { windowOf } from "./log-window.ts";

const minute = 60_000;
const now = Date.parse("2026-11-17T03:12:40Z");
const at = (clock: string) => Date.parse(`2026-11-17T${clock}Z`);
const chosen = (clock: string, minutes = 1) => ({ from: at(clock), to: at(clock) + minutes * minute });

test("the bars end now while nothing is chosen, or something of the last hour", () => {
  expect(windowOf("hour", undefined, now)).toEqual({ lastMs: 60 * minute });
  expect(windowOf("hour", chosen("02:48"), now)).toEqual({ lastMs: 60 * minute });
});

test("around something older they stay where they are when its neighbour is chosen", () => {
  const first = windowOf("hour", chosen("01:10"), now);
  expect(first).toEqual({ from: at("00:30"), to: at("01:30") });
  expect(windowOf("hour", chosen("01:09"), now)).toEqual(first);
  expect(windowOf("hour", chosen("01:20"), now)).toEqual({ from: at("01:00"), to: at("02:00") });
});

test.each([1, 20, 60, 600, 20_000])("%i chosen minutes are in the bars, whichever they are", (minutes) => {
  for (let from = at("00:00") - 40 * 24 * 60 * minute, n = 0; n < 50; from += 17 * minute, n += 1) {
    const window = windowOf("hour", { from, to: from + minutes * minute }, now);
    expect("from" in window && window.from <= from && from + minutes * minute <= window.to).toBe(true);
  }
});

import type { Stretch } from "../../api/metrics.ts";
import { spanWords } from "../../ui/relative-time.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The stretches of time that go along with the clock. */
export const goingStretches = {
  hour: { label: "Hour", words: "last hour", lastMs: hour },
  day: { label: "Day", words: "last day", lastMs: day },
  week: { label: "Week", words: "last week", lastMs: 7 * day },
  month: { label: "30 days", words: "last 30 days", lastMs: 30 * day },
} as const satisfies Record<string, { label: string; words: string; lastMs: number }>;
export type GoingStretch = keyof typeof goingStretches;

export function lengthOf(stretch: Stretch): number {
  return "lastMs" in stretch ? stretch.lastMs : stretch.to - stretch.from;
}

/** Lengths of a point that people count in; the server takes the shortest that the number of points allows. */
const pointLengths = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440].map((minutes) => minutes * minute);
/** More than a screen has room to show. */
const mostSteps = 360;

/** A stretch need not begin with a point, and the server's now is not quite that of the browser. */
const spare = 4;

/** How many points are asked for, so that each is as long as a person would choose. */
export function pointsFor(stretch: Stretch): number {
  const length = lengthOf(stretch);
  const point = pointLengths.find((each) => length / each <= mostSteps) ?? day;
  return Math.ceil(length / point) + spare;
}

/** "a value a minute", "a value per 5 min" */
export function stepWords(stepSeconds: number): string {
  return stepSeconds === 60 ? "a value a minute" : `a value per ${spanWords(stepSeconds * 1_000)}`;
}

/** No stretch is shorter: a handful of minutes is still a line. */
const leastMs = 10 * minute;
const mostMs = 366 * day;

/** Another length around a moment, in whole minutes and not beyond now: closer, or wider. */
export function zoomed(
  view: { readonly from: number; readonly to: number },
  around: number,
  by: number,
  now: number,
): Stretch {
  const length = Math.min(mostMs, Math.max(leastMs, (view.to - view.from) * by));
  const from = around - length * ((around - view.from) / Math.max(1, view.to - view.from));
  return wholeMinutes(from, from + length, now);
}

/** From the beginning of the first minute to the end of the last; at least ten minutes, at most a year, none of it to come. */
export function wholeMinutes(from: number, to: number, now: number): { readonly from: number; readonly to: number } {
  const end = Math.min(Math.ceil(to / minute), Math.floor(now / minute)) * minute;
  const begin = Math.floor(from / minute) * minute;
  return { from: Math.max(end - mostMs, Math.min(begin, end - leastMs)), to: end };
}

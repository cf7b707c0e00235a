import { fault, metricLimits } from "@gatehouse/contract";

/** What is asked for. */
export interface AskedStretch {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly points: number;
}

/** Whole points of equal length. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

const minute = metricLimits.minuteMs;
const day = 24 * 60 * minute;
/** Lengths that divide hours and days, so that points fall on times that people read. */
const withinDays = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map((minutes) => minutes * minute);

/** The shortest points of which so many cover the stretch. */
export function chooseStretch(asked: AskedStretch, now: number): Stretch {
  const end = Math.min(asked.to ?? Number.POSITIVE_INFINITY, Math.ceil(now / minute) * minute);
  const from = asked.from ?? end - 60 * minute;
  if (from >= end) throw fault("metrics.stretch", `it begins at ${timeOf(from)} and ends at ${timeOf(end)}`);
  if (end - from > metricLimits.stretchDays * day) {
    throw fault("metrics.stretch", `it is longer than ${metricLimits.stretchDays} days`);
  }
  const { count: _, ...stretch } = findCover(from, end, asked.points);
  return stretch;
}

/** Two points always suffice, once they are as long as the stretch. */
function findCover(from: number, to: number, points: number) {
  for (const stepMs of steps()) {
    const covering = cover(from, to, stepMs);
    if (covering.count <= points) return covering;
  }
  throw fault("metrics.stretch", `it does not fit into ${points} points`);
}

function* steps(): Generator<number> {
  yield* withinDays;
  for (let days = 1; days <= metricLimits.stretchDays + 1; days += 1) yield days * day;
}

function cover(from: number, to: number, stepMs: number) {
  const begin = Math.floor(from / stepMs) * stepMs;
  const end = Math.ceil(to / stepMs) * stepMs;
  return { from: begin, to: end, stepMs, count: (end - begin) / stepMs };
}

function timeOf(at: number): string {
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : "no time";
}

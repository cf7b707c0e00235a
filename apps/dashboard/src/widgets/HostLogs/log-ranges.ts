import { goingStretches } from "../Measured/stretches.ts";

const { hour, day, week } = goingStretches;

/** The stretches of time that go along with the clock; lines are kept for some days. */
export const logRanges = {
  quarter: { label: "15 min", words: "last 15 minutes", lastMs: 15 * 60_000 },
  hour,
  day,
  week,
} as const;
/** The minute that a moment is in. */
export function minuteOf(at: string): { readonly from: number; readonly to: number } {
  const from = Math.floor(Date.parse(at) / minuteMs) * minuteMs;
  return { from, to: from + minuteMs };
}
const minuteMs = 60_000;

export type LogRange = keyof typeof logRanges;

import type { HostLogCounts } from "@gatehouse/contract/routes";
import { spanWords } from "../../ui/relative-time.ts";
import { utcClock, utcMoment } from "../../ui/time-axis.ts";

export type LogBar = HostLogCounts["bars"][number];

/** Heights in hundredths of the room, from the bottom up. */
export interface DrawnBar {
  readonly error: number;
  readonly warning: number;
  readonly info: number;
  /** A box without a fill on top: how many are not there has another scale than those that are. */
  readonly dropped: number;
}

/** What dropped lines have of the height where there are any. */
const droppedRoom = 28;
const leastDropped = 10;

export function drawBars(bars: readonly LogBar[]): readonly DrawnBar[] {
  const most = Math.max(1, ...bars.map(linesOf));
  const mostDropped = Math.max(...bars.map(({ dropped }) => dropped), 0);
  const room = mostDropped === 0 ? 100 : 100 - droppedRoom;
  return bars.map(({ error, warning, info, dropped }) => ({
    error: (error / most) * room,
    warning: (warning / most) * room,
    info: (info / most) * room,
    dropped: dropped === 0 ? 0 : Math.max(leastDropped, (dropped / mostDropped) * droppedRoom),
  }));
}

export function sumBars(bars: readonly LogBar[]): LogBar & { readonly lines: number } {
  const sum = (of: (bar: LogBar) => number) => bars.reduce((all, bar) => all + of(bar), 0);
  return {
    lines: sum(linesOf),
    error: sum(({ error }) => error),
    warning: sum(({ warning }) => warning),
    info: sum(({ info }) => info),
    dropped: sum(({ dropped }) => dropped),
  };
}

function linesOf({ error, warning, info }: LogBar): number {
  return error + warning + info;
}

const number = new Intl.NumberFormat("en-GB");
const count = (many: number, word: string) => `${number.format(many)} ${word}`;

/** "02:47, 41 lines, 12 error, 3 warning, 4,120 dropped on the host" */
export function sayBar(bar: LogBar, at: number, { stepSeconds, now }: { stepSeconds: number; now: number }): string {
  const { error, warning, dropped } = bar;
  const lines = linesOf(bar);
  const moment = stepSeconds % 60 === 0 ? utcMoment(at, now) : new Date(at).toISOString().slice(11, 19);
  return [
    moment,
    count(lines, lines === 1 ? "line" : "lines"),
    ...(error === 0 ? [] : [count(error, "error")]),
    ...(warning === 0 ? [] : [count(warning, "warning")]),
    ...(dropped === 0 ? [] : [count(dropped, "dropped on the host")]),
  ].join(", ");
}

/** The bars in words, for whoever does not see them. */
export function sayBars({ bars, from, stepSeconds }: Pick<HostLogCounts, "bars" | "from" | "stepSeconds">): string {
  const { lines, error, warning, dropped } = sumBars(bars);
  const each = `A${barWords(stepSeconds).slice(1)}.`;
  if (lines === 0 && dropped === 0) return `No lines. ${each}`;
  const most = bars.reduce((best, bar, at) => (linesOf(bar) > linesOf(bars[best] ?? bar) ? at : best), 0);
  const at = utcClock(Date.parse(from) + most * stepSeconds * 1_000);
  const totals = [
    count(lines, lines === 1 ? "line" : "lines"),
    count(error, "error"),
    count(warning, "warning"),
    ...(dropped === 0 ? [] : [count(dropped, "dropped on the host")]),
  ].join(", ");
  return `${totals}. Most at ${at}: ${number.format(linesOf(bars[most] ?? { error: 0, warning: 0, info: 0, dropped: 0 }))}. ${each}`;
}

/** "a bar is a minute" */
export function barWords(stepSeconds: number): string {
  const one = { 60: "a minute", 3_600: "an hour", 86_400: "a day" }[stepSeconds];
  return `a bar is ${one ?? spanWords(stepSeconds * 1_000)}`;
}

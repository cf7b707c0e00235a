import { logLevels } from "@gatehouse/contract/host-logs";
import { type BoundLogFilter, boundLogFilter } from "./log-query.ts";
import type { NewLogRow } from "./log-batch.ts";
import { boundNames, heaviestNames } from "./heaviest-names.ts";
import { minuteMs } from "./pack-hour.ts";
import type { LogCounts, LogFilter, TelemetryLimits } from "./telemetry.ts";

/** Lines are counted by these lengths of time, the longest first; a bar is drawn from the longest that it is made of. */
export const countUnits = [60 * minuteMs, 10 * minuteMs, minuteMs] as const;

/** By what lines are counted: their level, or one of these. */
export const unsaidKind = logLevels.length;
export const droppedKind = unsaidKind + 1;

export function kindOf({ level, dropped }: Pick<NewLogRow, "level" | "dropped">): number {
  return dropped === undefined ? (level ?? unsaidKind) : droppedKind;
}

/** A note stands for what it says; where nobody counted it was one at least. */
export function linesCounted({ dropped }: Pick<NewLogRow, "dropped">): number {
  return dropped === undefined ? 1 : (dropped.lines ?? 1);
}

export interface BoundLogCounts extends BoundLogFilter {
  readonly stepMs: number;
  readonly points: number;
  /** Which counts are read; undefined: the lines themselves. */
  readonly unitMs: number | undefined;
}

/** Whatever is asked for, so much is read: what goes beyond is cut off at the end, and what is no time at all has no bars. */
export function boundLogCounts(
  asked: LogFilter & { readonly from: number; readonly to: number; readonly stepMs: number },
  { logBars }: Pick<TelemetryLimits, "logBars">,
): BoundLogCounts {
  const isShort = asked.stepMs < minuteMs;
  const stepMs = isShort ? Math.max(Math.floor(asked.stepMs), 1) : Math.floor(asked.stepMs / minuteMs) * minuteMs;
  const { from: begin, to: end, ...filter } = boundLogFilter(asked);
  const from = isShort ? begin : Math.floor(begin / minuteMs) * minuteMs;
  const to = Math.min(isShort ? end : Math.ceil(end / minuteMs) * minuteMs, from + logBars * stepMs);
  const points = Math.ceil((to - from) / stepMs);
  const isDrawn = points > 0 && Number.isSafeInteger(from) && Number.isSafeInteger(to);
  const unitMs = countUnits.find((unit) => [from, to, stepMs].every((ms) => ms % unit === 0));
  return { ...filter, from, to, stepMs, points: isDrawn ? points : 0, unitMs: isShort ? undefined : unitMs };
}

/** What was counted so far; it crosses from the thread as it is. */
export interface LogSums {
  /** Four numbers for each bar. */
  readonly bars: Float64Array;
  readonly nodes: ReadonlyMap<string, number>;
  readonly sources: ReadonlyMap<string, number>;
}

interface Counted {
  readonly at: number;
  /** It happened between `at` and so much later. */
  readonly unitMs: number;
  readonly kind: number;
  readonly lines: number;
  readonly node: string;
  readonly source: string;
}

const classes = 4;
const classOfDropped = 3;

/** Adds up what is counted, or what others have added up. */
export class LogAdder {
  readonly sums: LogSums;
  readonly #query: BoundLogCounts;
  readonly #nodes = new Map<string, number>();
  readonly #sources = new Map<string, number>();

  constructor(query: BoundLogCounts) {
    this.#query = query;
    this.sums = { bars: new Float64Array(query.points * classes), nodes: this.#nodes, sources: this.#sources };
  }

  /** What is counted by more than a bar is spread over its bars: nobody knows better. */
  add({ at, unitMs, kind, lines, node, source }: Counted): void {
    const { from, stepMs, points } = this.#query;
    const first = Math.floor((at - from) / stepMs);
    const bars = Math.max(Math.ceil((at + unitMs - from) / stepMs) - first, 1);
    let inside = 0;
    for (let n = 0; n < bars; n += 1) {
      if (first + n < 0 || first + n >= points) continue;
      const share = Math.floor(lines / bars) + (n < lines % bars ? 1 : 0);
      const cell = (first + n) * classes + classOf(kind);
      this.sums.bars[cell] = (this.sums.bars[cell] ?? 0) + share;
      inside += share;
    }
    if (kind === droppedKind || inside === 0) return;
    addTo(this.#nodes, node, inside);
    addTo(this.#sources, source, inside);
  }

  join({ bars, nodes, sources }: LogSums): void {
    for (const [cell, lines] of bars.entries()) this.sums.bars[cell] = (this.sums.bars[cell] ?? 0) + lines;
    for (const [node, lines] of nodes) addTo(this.#nodes, node, lines);
    for (const [source, lines] of sources) addTo(this.#sources, source, lines);
  }

  counts(mostNames: number): LogCounts {
    const { bars } = this.sums;
    const bar = (n: number) => {
      const [error = 0, warning = 0, info = 0, dropped = 0] = bars
        .subarray(n * classes, (n + 1) * classes)
        .map(toCount);
      return { error, warning, info, dropped };
    };
    return {
      bars: Array.from({ length: this.#query.points }, (_, n) => bar(n)),
      byNode: heaviestNames(this.#nodes, mostNames).map(([node, lines]) => ({ node, lines })),
      bySource: heaviestNames(this.#sources, mostNames).map(([source, lines]) => ({ source, lines })),
    };
  }
}

/** Whatever hosts have said, an answer has numbers that can be read again. */
function toCount(sum: number): number {
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}

/** Graver than a warning, a warning, and everything else. */
function classOf(kind: number): number {
  if (kind === droppedKind) return classOfDropped;
  const warning = logLevels.indexOf("warning");
  return Math.sign(kind - warning) + 1;
}

function addTo(sums: Map<string, number>, name: string, more: number): void {
  sums.set(name, (sums.get(name) ?? 0) + more);
  boundNames(sums);
}

import { hostLogLimits } from "@gatehouse/contract/host-logs";
import type { DroppedLines, LogBatch, LogLine, NewLogLine } from "./telemetry.ts";

/** A line, or a note of lines that were left out, before it has an id. */
export type NewLogRow = Omit<LogLine, "id" | "node">;

/** A batch that can be written as it is: rows in the order of their ids. */
export interface FitLogBatch {
  readonly node: string;
  readonly rows: readonly NewLogRow[];
  readonly checkpoint: string;
}

/**
 * What is too long is cut, because a host would send a batch that is refused again and again. Undefined for one that says nothing of use:
 * nobody's, at no time, or more than anybody sends at once.
 */
export function fitLogBatch(
  { node, lines, dropped, checkpoint }: LogBatch,
  { nameChars, oldest }: { readonly nameChars: number; readonly oldest: number },
): FitLogBatch | undefined {
  const { sentLines, checkpointChars } = hostLogLimits;
  if (node === "" || node.length > nameChars || !node.isWellFormed()) return undefined;
  if (checkpoint.length > checkpointChars) return undefined;
  if (lines.length > sentLines || dropped.length > sentLines) return undefined;
  if (!lines.every(({ at }) => isTime(at))) return undefined;
  if (!dropped.every(({ from, to, lines: lost }) => [from, to, lost ?? 0].every(isTime))) return undefined;
  // Nothing is as old as a host can say: a time of long ago would make every stretch since then one that has to be looked through.
  const rows = [...inPlace(lines.map(fitLine), dropped.map(noteOf))].map((row) => ({
    ...row,
    at: Math.max(row.at, oldest),
  }));
  return { node, rows, checkpoint: checkpoint.toWellFormed() };
}

/** A note stands before the first line that is later than the end of what it speaks of. */
function* inPlace(lines: readonly NewLogRow[], notes: readonly NewLogRow[]): Generator<NewLogRow> {
  const waiting = notes.toSorted((a, b) => a.at - b.at);
  for (const line of lines) {
    for (let note = waiting[0]; note !== undefined && note.at < line.at; note = waiting[0]) {
      yield note;
      waiting.shift();
    }
    yield line;
  }
  yield* waiting;
}

function fitLine({ source, at, level, text }: NewLogLine): NewLogRow {
  const fitLevel = level !== undefined && Number.isInteger(level) && level >= 0 && level <= 7 ? level : undefined;
  return { source: fitSource(source), at, level: fitLevel, text: cutText(text), dropped: undefined };
}

function noteOf({ source, lines, from, to }: DroppedLines): NewLogRow {
  return { source: fitSource(source), at: to, level: undefined, text: "", dropped: { lines: fitCount(lines), from } };
}

/** Sums of what hosts say about themselves have to stay numbers. */
function fitCount(lines: number | undefined): number | undefined {
  return lines === undefined ? undefined : Math.min(lines, hostLogLimits.droppedLines);
}

function cutText(text: string): string {
  const { lineChars } = hostLogLimits;
  return (text.length <= lineChars ? text : `${text.slice(0, lineChars - 1)}…`).toWellFormed();
}

function fitSource(source: string): string {
  return source.slice(0, hostLogLimits.sourceChars).toWellFormed();
}

function isTime(at: number): boolean {
  return Number.isSafeInteger(at) && at >= 0;
}

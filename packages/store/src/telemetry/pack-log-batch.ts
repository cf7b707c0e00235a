import type { FitLogBatch } from "./log-batch.ts";

/** A batch on its way to the thread: as a few lists it costs the thread a third of what two hundred objects cost to be read. */
export interface PackedLogBatch {
  readonly node: string;
  readonly checkpoint: string;
  readonly sources: readonly string[];
  readonly texts: readonly string[];
  /** For each row: which source, its time, level, and of a note where it begins and how many lines it stands for; -1 for what is not said. */
  readonly numbers: Float64Array;
}

const numbersOfRow = 5;
const unsaid = -1;

export function packLogBatch({ node, rows, checkpoint }: FitLogBatch): PackedLogBatch {
  const sources = [...new Set(rows.map(({ source }) => source))];
  const numbers = new Float64Array(rows.length * numbersOfRow);
  for (const [n, { source, at, level = unsaid, dropped }] of rows.entries()) {
    const row = [sources.indexOf(source), at, level, dropped?.from ?? unsaid, dropped?.lines ?? unsaid];
    numbers.set(row, n * numbersOfRow);
  }
  return { node, checkpoint, sources, texts: rows.map(({ text }) => text), numbers };
}

export function unpackLogBatch({ node, checkpoint, sources, texts, numbers }: PackedLogBatch): FitLogBatch {
  const said = (value: number | undefined): number | undefined => (value === unsaid ? undefined : value);
  const rows = texts.map((text, n) => {
    const [source = 0, at = 0, level, begin, lines] = numbers.subarray(n * numbersOfRow, (n + 1) * numbersOfRow);
    const from = said(begin);
    const dropped = from === undefined ? undefined : { from, lines: said(lines) };
    return { source: sources[source] ?? "", at, level: said(level), text, dropped };
  });
  return { node, rows, checkpoint };
}

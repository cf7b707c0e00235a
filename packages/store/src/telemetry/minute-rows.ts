import { type MetricValues, metricNames } from "@gatehouse/contract/metrics";

/**
 * Minutes as plain numbers, a row each: the time, then one value per metric, NaN for null. A tenth of what they cost as objects, which
 * counts for the hundred thousand that wait, and they cross to the thread as one piece.
 */
export type MinuteRows = Float64Array;

export const cellsOfMinute = 1 + metricNames.length;

export interface NodeMinutes {
  readonly node: string;
  readonly rows: MinuteRows;
}

export function writeRow(rows: MinuteRows, row: number, { at, values }: { at: number; values: MetricValues }): void {
  const begin = row * cellsOfMinute;
  rows[begin] = at;
  for (let n = 0; n < metricNames.length; n += 1) rows[begin + 1 + n] = values[n] ?? Number.NaN;
}

export function* readMinuteRows(rows: MinuteRows): Generator<{ readonly at: number; readonly values: Float64Array }> {
  for (let begin = 0; begin < rows.length; begin += cellsOfMinute) {
    yield { at: rows[begin] ?? 0, values: rows.subarray(begin + 1, begin + cellsOfMinute) };
  }
}

export function countMinutes(nodes: readonly NodeMinutes[]): number {
  return nodes.reduce((sum, { rows }) => sum + rows.length / cellsOfMinute, 0);
}

/** Parts of at most so many minutes, in their order. */
export function* cutMinutes(nodes: readonly NodeMinutes[], most: number): Generator<readonly NodeMinutes[]> {
  let part: NodeMinutes[] = [];
  let room = most * cellsOfMinute;
  for (const { node, rows } of nodes) {
    for (let at = 0; at < rows.length; ) {
      const piece = rows.subarray(at, at + room);
      part.push({ node, rows: piece });
      at += piece.length;
      room -= piece.length;
      if (room > 0) continue;
      yield part;
      part = [];
      room = most * cellsOfMinute;
    }
  }
  if (part.length > 0) yield part;
}

/** The minutes of several nodes, one after the other: a thread is handed one piece of memory much sooner than two hundred. */
export interface JoinedMinutes {
  readonly nodes: readonly { readonly node: string; readonly cells: number }[];
  readonly rows: Float64Array<ArrayBuffer>;
}

export function joinMinutes(minutes: readonly NodeMinutes[]): JoinedMinutes {
  const rows = new Float64Array(countMinutes(minutes) * cellsOfMinute);
  let end = 0;
  const nodes = minutes.map(({ node, rows: own }) => {
    rows.set(own, end);
    end += own.length;
    return { node, cells: own.length };
  });
  return { nodes, rows };
}

export function* splitMinutes({ nodes, rows }: JoinedMinutes): Generator<NodeMinutes> {
  let begin = 0;
  for (const { node, cells } of nodes) {
    yield { node, rows: rows.subarray(begin, begin + cells) };
    begin += cells;
  }
}

import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { type BoundLogCounts, kindOf, type LogAdder, linesCounted } from "./log-counts.ts";
import type { LogPart } from "./log-parts.ts";
import { logPartTables } from "./log-tables.ts";
import { filterOfPart, openNames } from "./search-log-part.ts";

/** Adds what a part knows of the stretch: from its counts, or from its lines where bars are shorter than those. */
export function countLogPart(db: DatabaseSync, part: LogPart, query: BoundLogCounts, adder: LogAdder): void {
  const { unitMs } = query;
  // Counts are of whole units, and the first of them may begin before the stretch.
  const wide = unitMs === undefined ? query : { ...query, from: query.from - (query.from % unitMs) };
  const filter = filterOfPart(db, part, wide);
  if (filter === undefined) return;
  const nameOf = openNames(db, part);
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  for (const [column, ids] of [
    ["node", filter.nodes],
    ["source", filter.sources],
  ] as const) {
    if (ids === undefined) continue;
    conditions.push(` AND ${column} IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(ids));
  }
  const { lines, counts } = logPartTables(part.part);
  if (unitMs === undefined) {
    if (query.level !== undefined) {
      conditions.push(" AND level <= ?");
      values.push(query.level);
    }
    const select = db.prepare(`SELECT at, node, source, level, since, lost FROM ${lines}
      WHERE id BETWEEN ? AND ? AND at >= ? AND at < ?${conditions.join("")}`);
    for (const { low, high } of filter.runs) {
      const rows = select.iterate(low, high, query.from, query.to, ...values);
      for (const { at, node, source, level, since, lost } of rows as Iterable<unknown> as Iterable<CountedLine>) {
        const row = {
          level: level ?? undefined,
          dropped: since === null ? undefined : { lines: lost ?? undefined, from: since },
        };
        const names = { node: nameOf(node), source: nameOf(source) };
        adder.add({ at, unitMs: 1, kind: kindOf(row), lines: linesCounted(row), ...names });
      }
    }
    return;
  }
  if (query.level !== undefined) {
    conditions.push(" AND kind <= ?");
    values.push(query.level);
  }
  const select = db.prepare(`SELECT start, node, source, kind, lines FROM ${counts}
    WHERE unit = ? AND start >= ? AND start < ?${conditions.join("")}`);
  // A fleet has hundred thousands of them in a fortnight, and arrays are made faster.
  select.setReturnArrays(true);
  const bounds = [unitMs, Math.floor(query.from / unitMs), Math.ceil(query.to / unitMs)];
  for (const row of select.iterate(...bounds, ...values) as Iterable<unknown> as Iterable<CountedUnit>) {
    const [start, node, source, kind, sum] = row;
    adder.add({ at: start * unitMs, unitMs, kind, lines: sum, node: nameOf(node), source: nameOf(source) });
  }
}

interface CountedLine {
  readonly at: number;
  readonly node: number;
  readonly source: number;
  readonly level: number | null;
  readonly since: number | null;
  readonly lost: number | null;
}

type CountedUnit = readonly [start: number, node: number, source: number, kind: number, lines: number];

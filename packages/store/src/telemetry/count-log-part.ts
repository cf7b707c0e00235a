import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { type BoundLogCounts, kindOf, type LogAdder, linesCounted } from "./log-counts.ts";
import type { LogPart } from "./log-parts.ts";
import { logPartTables } from "./log-tables.ts";
import { filterOfPart, openNames, openRowCheck, type PartFilter, rowsOf } from "./search-log-part.ts";

/** Adds what a part knows of the stretch: from its counts, or from its lines where bars are shorter than those. */
export function countLogPart(db: DatabaseSync, part: LogPart, query: BoundLogCounts, adder: LogAdder): void {
  const { unitMs } = query;
  // Counts are of whole units, and the first of them may begin before the stretch.
  const wide = unitMs === undefined ? query : { ...query, from: query.from - (query.from % unitMs) };
  const filter = filterOfPart(db, part, wide);
  if (filter === undefined) return;
  const nameOf = openNames(db, part);
  if (unitMs === undefined) return countLines(db, part, query, { adder, filter, nameOf });
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
  if (query.level !== undefined) {
    conditions.push(" AND kind <= ?");
    values.push(query.level);
  }
  const { counts } = logPartTables(part.part);
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

interface LineCount {
  readonly adder: LogAdder;
  readonly filter: PartFilter;
  readonly nameOf: (id: number) => string;
}

/** Lines of few nodes are found by the index: those of all others cost nothing, however many they are. */
function countLines(
  db: DatabaseSync,
  part: LogPart,
  query: BoundLogCounts,
  { adder, filter, nameOf }: LineCount,
): void {
  const nodes = openRowCheck(filter.nodes);
  const sources = openRowCheck(filter.sources);
  const every = { ...query, phrases: [], low: 0, high: Number.MAX_SAFE_INTEGER, isForward: true, limit: 0 };
  for (const { at, node, source, level, since, lost } of rowsOf(db, part, every, filter)) {
    if (at < query.from || at >= query.to || !nodes(node) || !sources(source)) continue;
    const row = {
      level: level ?? undefined,
      dropped: since === null ? undefined : { lines: lost ?? undefined, from: since },
    };
    const names = { node: nameOf(node), source: nameOf(source) };
    adder.add({ at, unitMs: 1, kind: kindOf(row), lines: linesCounted(row), ...names });
  }
}

type CountedUnit = readonly [start: number, node: number, source: number, kind: number, lines: number];

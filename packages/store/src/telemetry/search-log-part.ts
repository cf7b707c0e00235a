import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { lastId, type LogPart } from "./log-parts.ts";
import type { BoundLogFilter, BoundLogQuery } from "./log-query.ts";
import { logPartTables, logTokens, spanLines } from "./log-tables.ts";
import type { LogLine } from "./telemetry.ts";

/** As many are words of the index; for more each row is looked at. */
const mostIndexed = 64;

/** A filter as a part knows it: undefined for all, a list of its numbers for names. */
export interface PartFilter {
  readonly nodes: readonly number[] | undefined;
  readonly sources: readonly number[] | undefined;
  /** Between these places in the part are all lines of the stretch of time; in order. */
  readonly runs: readonly Run[];
}

export interface Run {
  readonly low: number;
  readonly high: number;
}

/** Undefined where no line of the part can be meant. */
export function filterOfPart(db: DatabaseSync, part: LogPart, filter: BoundLogFilter): PartFilter | undefined {
  if (part.lines === 0 || part.newest < filter.from || part.oldest >= filter.to) return undefined;
  const { names, spans } = logPartTables(part.part);
  const idsOf = (wanted: readonly string[] | undefined): readonly number[] | undefined =>
    wanted === undefined
      ? undefined
      : db
          .prepare(`SELECT id FROM ${names} WHERE name IN (SELECT value FROM json_each(?))`)
          .all(JSON.stringify(wanted))
          .map(({ id }) => Number(id));
  const nodes = idsOf(filter.nodes);
  const sources = idsOf(filter.sources);
  if (nodes?.length === 0 || sources?.length === 0) return undefined;
  if (part.oldest >= filter.from && part.newest < filter.to)
    return { nodes, sources, runs: [{ low: 1, high: part.lines }] };
  const found = db
    .prepare(`SELECT span FROM ${spans} WHERE newest >= ? AND oldest < ? ORDER BY span`)
    .all(filter.from, filter.to);
  const runs: { low: number; high: number }[] = [];
  for (const { span } of found) {
    const low = Number(span) * spanLines;
    const last = runs.at(-1);
    if (last?.high === low - 1) last.high += spanLines;
    else runs.push({ low, high: low + spanLines - 1 });
  }
  return runs.length === 0 ? undefined : { nodes, sources, runs };
}

export interface PartSearch {
  readonly items: readonly LogLine[];
  readonly rows: number;
  /** Among so many of the part; none when it was plain that none is meant. */
  readonly lines: number;
  /** The last id that was looked at, when the search was cut short. */
  readonly cutAt: number | undefined;
}

/** At most `limit` lines, and at most `mostRows` that had to be looked at in vain. */
export function searchLogPart(
  db: DatabaseSync,
  part: LogPart,
  query: BoundLogQuery,
  { limit, mostRows }: { readonly limit: number; readonly mostRows: number },
): PartSearch {
  const filter = filterOfPart(db, part, query);
  if (filter === undefined || limit <= 0) return { items: [], rows: 0, lines: 0, cutAt: undefined };
  const nodes = openRowCheck(filter.nodes);
  const sources = openRowCheck(filter.sources);
  const nameOf = openNames(db, part);
  const items: LogLine[] = [];
  let rows = 0;
  for (const row of rowsOf(db, part, query, filter)) {
    const isMeant = row.at >= query.from && row.at < query.to && nodes(row.node) && sources(row.source);
    if (isMeant) items.push(lineOf(row, part, nameOf));
    else rows += 1;
    if (items.length === limit) break;
    if (rows === mostRows) return { items, rows, lines: part.lines, cutAt: part.base + row.id };
  }
  return { items, rows, lines: part.lines, cutAt: undefined };
}

interface LineRow {
  readonly id: number;
  readonly node: number;
  readonly source: number;
  readonly at: number;
  readonly level: number | null;
  readonly text: string;
  readonly since: number | null;
  readonly lost: number | null;
}

/** In the order in which they are looked for; nothing is read before it is taken. */
export function* rowsOf(db: DatabaseSync, part: LogPart, query: BoundLogQuery, filter: PartFilter): Generator<LineRow> {
  const { lines, text } = logPartTables(part.part);
  const order = query.isForward ? "ASC" : "DESC";
  // Bound numbers arrive as reals, and FTS5 heeds only whole numbers as bounds.
  const between = "BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)";
  const match = matchText(query, filter);
  const select =
    match === ""
      ? db.prepare(`SELECT * FROM ${lines} WHERE id ${between} ORDER BY id ${order}`)
      : db.prepare(`SELECT l.* FROM ${text} AS t CROSS JOIN ${lines} AS l ON l.id = t.rowid
          WHERE t.${text} MATCH ? AND t.rowid ${between} ORDER BY t.rowid ${order}`);
  for (const run of query.isForward ? runsFor(query, filter) : runsFor(query, filter).toReversed()) {
    const low = Math.max(run.low, query.low - part.base);
    const high = Math.min(run.high, query.high - part.base, part.lines);
    if (low > high) continue;
    const bounds: SQLInputValue[] = match === "" ? [low, high] : [match, low, high];
    yield* select.iterate(...bounds) as Iterable<unknown> as Iterable<LineRow>;
  }
}

/** Where words are looked for once, one run is better: the beginnings of words are looked up again for each. */
function runsFor({ phrases }: BoundLogQuery, { runs }: PartFilter): readonly Run[] {
  const [first] = runs;
  const last = runs.at(-1);
  return phrases.length === 0 || first === undefined || last === undefined
    ? runs
    : [{ low: first.low, high: last.high }];
}

/** Only words that `cut-words.ts` made and numbers of ours are in it, and all of them in quotes. */
function matchText({ phrases, level }: BoundLogQuery, { nodes, sources }: PartFilter): string {
  const oneOf = (tokens: readonly string[]): string => `(${tokens.map((token) => `"${token}"`).join(" OR ")})`;
  const conditions = phrases.map(({ words, isBegun }) => `"${words.join(" ")}"${isBegun ? " *" : ""}`);
  if (isIndexed(nodes)) conditions.push(oneOf(nodes.map(logTokens.node)));
  if (isIndexed(sources)) conditions.push(oneOf(sources.map(logTokens.source)));
  if (level !== undefined) conditions.push(oneOf(Array.from({ length: level + 1 }, (_, n) => logTokens.level(n))));
  return conditions.join(" AND ");
}

function isIndexed(ids: readonly number[] | undefined): ids is readonly number[] {
  return ids !== undefined && ids.length <= mostIndexed;
}

export function openRowCheck(ids: readonly number[] | undefined): (id: number) => boolean {
  if (ids === undefined || isIndexed(ids)) return () => true;
  const wanted = new Set(ids);
  return (id) => wanted.has(id);
}

/** Names of a part by their numbers. */
export function openNames(db: DatabaseSync, { part }: LogPart): (id: number) => string {
  const find = db.prepare(`SELECT name FROM ${logPartTables(part).names} WHERE id = ?`);
  const known = new Map<number, string>();
  return (id) => {
    const name = known.get(id) ?? String(find.get(id)?.["name"]);
    known.set(id, name);
    return name;
  };
}

function lineOf(row: LineRow, { base }: LogPart, nameOf: (id: number) => string): LogLine {
  const { id, node, source, at, level, text, since, lost } = row;
  return {
    id: base + id,
    node: nameOf(node),
    source: nameOf(source),
    at,
    level: level ?? undefined,
    text,
    dropped: since === null ? undefined : { lines: lost ?? undefined, from: since },
  };
}

/** Parts in the order in which a search looks at them, those that lie between its ids. */
export function partsBetween(
  parts: readonly LogPart[],
  { low, high, isForward }: Pick<BoundLogQuery, "low" | "high" | "isForward">,
): readonly LogPart[] {
  const between = parts.filter((part) => part.base < high && lastId(part) >= low);
  return isForward ? between : between.toReversed();
}

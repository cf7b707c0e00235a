import type { DatabaseSync, StatementSync } from "node:sqlite";
import { transaction } from "../database/transaction.ts";
import { countLogPart } from "./count-log-part.ts";
import type { FitLogBatch } from "./log-batch.ts";
import { type BoundLogCounts, LogAdder } from "./log-counts.ts";
import { beginPart, grownPart, isPartOver, lastId, type LogPart, sparePart } from "./log-parts.ts";
import type { BoundLogQuery } from "./log-query.ts";
import type { LogCountPiece, LogPiece, LogPieceLimits, LogRange, LogRoom } from "./log-rows.ts";
import { createLogPart, dropLogPart } from "./log-tables.ts";
import { partsBetween, searchLogPart } from "./search-log-part.ts";
import type { LogLine } from "./telemetry.ts";
import { openLogPartWriter, type WriteLogPart } from "./write-log-part.ts";

/** Lines of logs in `telemetry.db`. */
export interface LogStore {
  readonly put: (batch: FitLogBatch, room: LogRoom) => void;
  readonly checkpoint: (node: string) => string | undefined;
  readonly search: (query: BoundLogQuery, piece: LogPieceLimits) => LogPiece;
  readonly count: (query: BoundLogCounts, piece: LogPieceLimits & LogRange) => LogCountPiece;
  /** Removes one part at most, and marks of nodes that sent nothing for long; true while there may be more. */
  prune(spare: { readonly before: number; readonly mostBytes: number; readonly marksBefore: number }): boolean;
}

export function openLogStore(db: DatabaseSync): LogStore {
  const listParts = db.prepare(
    "SELECT part, base, lines, oldest, newest, day, arrived, bytes FROM log_parts ORDER BY part",
  );
  const savePart = db.prepare("INSERT OR REPLACE INTO log_parts VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  const removePart = db.prepare("DELETE FROM log_parts WHERE part = ?");
  const lastGone = db.prepare("SELECT last FROM log_ids");
  const saveGone = db.prepare("UPDATE log_ids SET last = max(last, ?)");
  const findMark = db.prepare("SELECT checkpoint FROM log_marks WHERE node = ?");
  const saveMark = db.prepare("INSERT OR REPLACE INTO log_marks VALUES (?, ?, ?)");
  const forgetMarks = db.prepare("DELETE FROM log_marks WHERE at < ?");
  const usedBytes = openUsedBytes(db);

  const highestId = (): number => {
    const newest = parts.at(-1);
    return Math.max(Number(lastGone.get()?.["last"]), newest === undefined ? 0 : lastId(newest));
  };
  const readParts = (): LogPart[] => listParts.all() as unknown as LogPart[];
  let parts = readParts();
  let writer: { readonly part: number; readonly write: WriteLogPart } | undefined;
  /** What was not committed is known to nobody. */
  const committed = <T>(work: () => T): T => {
    try {
      return transaction(db, "IMMEDIATE", work);
    } catch (error) {
      writer = undefined;
      parts = readParts();
      throw error;
    }
  };
  const save = (part: LogPart): void => {
    const { part: number, base, lines, oldest, newest, day, arrived, bytes } = part;
    savePart.run(number, base, lines, oldest, newest, day, arrived, bytes);
  };
  const drop = (spare: LogPart): void => {
    saveGone.run(lastId(spare));
    removePart.run(spare.part);
    for (const sql of dropLogPart(spare.part)) db.exec(sql);
    parts = parts.filter(({ part }) => part !== spare.part);
    if (writer?.part === spare.part) writer = undefined;
  };
  /** Room is made first: on a disk that is nearly full it is what the new one is written to. */
  const begin = (newest: LogPart | undefined, { now, mostBytes, partBytes }: LogRoom): LogPart => {
    if (newest !== undefined) save(newest);
    const spare = sparePart(parts, { before: 0, mostBytes: mostBytes - partBytes });
    if (spare !== undefined) drop(spare);
    const part = beginPart(newest, highestId(), now);
    for (const sql of createLogPart(part.part)) db.exec(sql);
    parts.push(part);
    return part;
  };
  const put = (batch: FitLogBatch, room: LogRoom): void => {
    const { before, part } = committed(() => {
      const newest = parts.at(-1);
      const isGoingOn = newest !== undefined && !isPartOver(newest, room.now, room.partBytes);
      const open = isGoingOn ? newest : begin(newest, room);
      const used = usedBytes();
      writer = writer?.part === open.part ? writer : { part: open.part, write: openLogPartWriter(db, open.part) };
      writer.write(batch, open.lines);
      const grown = grownPart(open, batch.rows, room.now);
      save(grown);
      saveMark.run(batch.node, room.now, batch.checkpoint);
      return { before: used, part: grown };
    });
    // The text index is written at the end of a transaction; what it took stands in the row of the part with the next batch.
    parts = [...parts.slice(0, -1), { ...part, bytes: Math.max(part.bytes + usedBytes() - before, 0) }];
  };
  return {
    put,
    checkpoint: (node) => findMark.get(node)?.["checkpoint"] as string | undefined,
    search: (query, piece) => ({ ...searchParts(db, parts, query, piece), last: highestId() }),
    count: (query, piece) => countParts(db, parts, query, piece),
    prune: ({ before, mostBytes, marksBefore }) => {
      forgetMarks.run(marksBefore);
      const spare = sparePart(parts, { before, mostBytes });
      if (spare !== undefined) committed(() => drop(spare));
      return spare !== undefined;
    },
  };
}

function searchParts(
  db: DatabaseSync,
  parts: readonly LogPart[],
  query: BoundLogQuery,
  piece: LogPieceLimits,
): Omit<LogPiece, "last"> {
  const items: LogLine[] = [];
  let rows = 0;
  let seen = 0;
  for (const part of partsBetween(parts, query)) {
    const goOn = query.isForward ? Math.max(part.base + 1, query.low) : Math.min(lastId(part), query.high);
    if (seen >= piece.lines) return { items, rows, goOn };
    const found = searchLogPart(db, part, query, { limit: query.limit - items.length, mostRows: piece.rows - rows });
    items.push(...found.items);
    rows += found.rows;
    seen += found.lines;
    if (found.cutAt !== undefined) return { items, rows, goOn: found.cutAt + (query.isForward ? 1 : -1) };
    if (items.length >= query.limit) break;
  }
  return { items, rows, goOn: undefined };
}

function countParts(
  db: DatabaseSync,
  parts: readonly LogPart[],
  query: BoundLogCounts,
  piece: LogPieceLimits & LogRange,
): LogCountPiece {
  const adder = new LogAdder(query);
  let seen = 0;
  for (const part of partsBetween(parts, { low: 0, high: piece.high, isForward: false })) {
    if (seen >= piece.lines) return { sums: adder.sums, goOn: lastId(part) };
    countLogPart(db, part, query, adder);
    seen += part.lines;
  }
  return { sums: adder.sums, goOn: undefined };
}

/** Of the whole file, free pages aside. What it is more behind a write is what the write took. */
function openUsedBytes(db: DatabaseSync): () => number {
  const [pages, free] = ["page_count", "freelist_count"].map((name) => db.prepare(`PRAGMA ${name}`));
  const numberOf = (statement: StatementSync | undefined): number => Number(Object.values(statement?.get() ?? {})[0]);
  const pageBytes = numberOf(db.prepare("PRAGMA page_size"));
  return () => (numberOf(pages) - numberOf(free)) * pageBytes;
}

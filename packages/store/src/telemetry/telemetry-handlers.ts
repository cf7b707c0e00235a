import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { transaction } from "../database/transaction.ts";
import type { Before } from "./open-telemetry.ts";
import type { Batch, KeyedTouch } from "./queue.ts";
import {
  type LogLine,
  type LogQuery,
  type Range,
  type Sample,
  type SampleQuery,
  telemetryLimits,
} from "./telemetry.ts";
import type { TelemetryPage } from "./telemetry.ts";

/** What the thread of `telemetry.db` answers, by name. */
export function openTelemetryHandlers(db: DatabaseSync) {
  return {
    write: openWrite(db),
    lastTouched: (keys: readonly string[]) => lastTouched(db, keys),
    samples: ({ node, name, ...range }: SampleQuery) =>
      page<Sample>(db, { table: "samples", columns: "node, name, at, value", where: { node, name }, range }),
    logs: ({ of, ...range }: LogQuery) =>
      page<LogLine>(db, { table: "logs", columns: "node, unit, at, text", where: { ...of }, range }),
    prune: (before: Before, most: number) => prune(db, before, most),
  };
}

export type TelemetryHandlers = ReturnType<typeof openTelemetryHandlers>;

function openWrite(db: DatabaseSync) {
  const sample = db.prepare("INSERT INTO samples (node, name, at, value) VALUES (?, ?, ?, ?)");
  const log = db.prepare("INSERT INTO logs (node, unit, at, text) VALUES (?, ?, ?, ?)");
  const touch = db.prepare(`INSERT INTO touches (key, at, origin) VALUES (?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET at = excluded.at, origin = excluded.origin WHERE excluded.at > touches.at`);
  return ({ samples, logs, touches }: Batch): void =>
    transaction(db, "IMMEDIATE", () => {
      for (const { key, at, from } of touches) touch.run(key, at, from ?? null);
      for (const { node, name, at, value } of samples) sample.run(node, name, at, value);
      for (const { node, unit, at, text } of logs) log.run(node, unit, at, text);
    });
}

function lastTouched(db: DatabaseSync, keys: readonly string[]): KeyedTouch[] {
  const found = db
    .prepare("SELECT key, at, origin FROM touches WHERE key IN (SELECT value FROM json_each(?))")
    .all(JSON.stringify(keys)) as unknown as { key: string; at: number; origin: string | null }[];
  return found.map(({ key, at, origin }) => (origin === null ? { key, at } : { key, at, from: origin }));
}

interface Asked {
  readonly table: "samples" | "logs";
  readonly columns: string;
  /** Columns that must have these values; their names are ours, never a caller's. */
  readonly where: Readonly<Partial<Record<"node" | "name" | "unit", string>>>;
  readonly range: Range;
}

function page<Row>(db: DatabaseSync, { table, columns, where, range }: Asked): TelemetryPage<Row> {
  const wanted = Object.entries(where);
  const conditions = [...wanted.map(([column]) => `${column} = ?`), "at >= ?", "at < ?"].join(" AND ");
  const times = [range.from ?? 0, range.to ?? Number.MAX_SAFE_INTEGER];
  const values: SQLInputValue[] = [...wanted.map(([, value]) => value), ...times];
  const from = `FROM ${table} WHERE ${conditions}`;
  const items = db.prepare(`SELECT ${columns} ${from} ORDER BY at DESC, id DESC LIMIT ?`).all(...values, range.limit);
  const { counted } = telemetryLimits;
  const { found } = db
    .prepare(`SELECT count(*) AS found FROM (SELECT 1 ${from} LIMIT ?)`)
    .get(...values, counted + 1) as unknown as { found: number };
  return { items: items as unknown as Row[], total: found > counted ? { atLeast: counted } : found };
}

/** One part of each kind; true while a part was full. */
function prune(db: DatabaseSync, before: Before, most: number): boolean {
  const remove = (table: string, id: string, at: number): boolean => {
    const old = `SELECT ${id} FROM ${table} WHERE at < ? ORDER BY at LIMIT ?`;
    return Number(db.prepare(`DELETE FROM ${table} WHERE ${id} IN (${old})`).run(at, most).changes) >= most;
  };
  const more = [
    remove("touches", "key", before.touches),
    remove("samples", "id", before.samples),
    remove("logs", "id", before.logs),
  ];
  return more.includes(true);
}

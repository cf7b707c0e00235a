import type { DatabaseSync } from "node:sqlite";
import { transaction } from "../database/transaction.ts";
import type { MinutePiece } from "./bound-minute-query.ts";
import { openHourTable } from "./hour-table.ts";
import { drawMinutes, type DrawnMinutes, keepMinutes } from "./metric-hours.ts";
import { type JoinedMinutes, type MinuteRows, splitMinutes } from "./minute-rows.ts";
import type { LogRoom } from "./log-rows.ts";
import { type PackedLogBatch, unpackLogBatch } from "./pack-log-batch.ts";
import type { Before } from "./open-telemetry.ts";
import type { Batch, KeyedTouch } from "./queue.ts";
import { openLogStore } from "./log-store.ts";
import { openPlaceTable } from "./place-table.ts";
import { openAttemptTable } from "./attempt-table.ts";

/** What the thread of `telemetry.db` answers, by name. */
export function openTelemetryHandlers(db: DatabaseSync) {
  const hours = openHourTable(db);
  const logs = openLogStore(db);
  const places = openPlaceTable(db);
  const attempts = openAttemptTable(db);
  return {
    write: openWrite(db, hours),
    lastTouched: (keys: readonly string[]) => lastTouched(db, keys),
    measured: (piece: MinutePiece, waiting: MinuteRows): DrawnMinutes =>
      drawMinutes(piece, waiting, hours.hoursOf(piece.node)),
    putLogs: (batch: PackedLogBatch, room: LogRoom) => logs.put(unpackLogBatch(batch), room),
    logCheckpoint: logs.checkpoint,
    searchLogs: logs.search,
    countLogs: logs.count,
    keepPlace: places.keep,
    placesOf: places.find,
    keepAttempt: attempts.keep,
    attemptsOf: attempts.find,
    prune: ({ minutes, logs: before, mostLogBytes, touches, places: placesBefore, mostPlaces }: Before, most: number) =>
      pruneTouches(db, touches, most) ||
      places.prune(placesBefore, mostPlaces, most) ||
      logs.prune({ before, mostBytes: mostLogBytes, marksBefore: touches }) ||
      // Last: behind hours free pages are given back.
      hours.prune(minutes, most),
  };
}

export type TelemetryHandlers = ReturnType<typeof openTelemetryHandlers>;

type JoinedBatch = Omit<Batch, "minutes"> & { readonly minutes: JoinedMinutes };

function openWrite(db: DatabaseSync, hours: ReturnType<typeof openHourTable>) {
  const touch = db.prepare(`INSERT INTO touches (key, at, origin) VALUES (?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET at = excluded.at, origin = excluded.origin WHERE excluded.at > touches.at`);
  /** Returns how many hours could not be read. */
  return ({ minutes, touches }: JoinedBatch): number =>
    transaction(db, "IMMEDIATE", () => {
      for (const { key, at, from } of touches) touch.run(key, at, from ?? null);
      let damaged = 0;
      for (const { node, rows } of splitMinutes(minutes)) damaged += keepMinutes(rows, hours.hoursOf(node));
      return damaged;
    });
}

function lastTouched(db: DatabaseSync, keys: readonly string[]): KeyedTouch[] {
  const found = db
    .prepare("SELECT key, at, origin FROM touches WHERE key IN (SELECT value FROM json_each(?))")
    .all(JSON.stringify(keys)) as unknown as { key: string; at: number; origin: string | null }[];
  return found.map(({ key, at, origin }) => (origin === null ? { key, at } : { key, at, from: origin }));
}

/** One part of what is older; true while it was full. */
function pruneTouches(db: DatabaseSync, before: number, most: number): boolean {
  const old = "SELECT key FROM touches WHERE at < ? ORDER BY at LIMIT ?";
  return Number(db.prepare(`DELETE FROM touches WHERE key IN (${old})`).run(before, most).changes) >= most;
}

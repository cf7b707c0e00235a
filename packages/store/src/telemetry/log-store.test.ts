import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../database/open-database.ts";
import { fitLogBatch } from "./log-batch.ts";
import { linesOfHost, logBegin } from "./log-cases.ts";
import { boundLogQuery } from "./log-query.ts";
import { type LogStore, openLogStore } from "./log-store.ts";
import { openHourTable } from "./hour-table.ts";
import { telemetryFormat } from "./telemetry-format.ts";
import { telemetryLimits } from "./telemetry.ts";

let directory: string;
let db: DatabaseSync;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "log-store-"));
  db = openDatabase(join(directory, "telemetry.db"), telemetryFormat);
});
afterEach(() => {
  db.close();
  rmSync(directory, { recursive: true });
});

const day = 24 * 60 * 60_000;
const mib = 1024 * 1024;
const room = { now: logBegin, mostBytes: 1_024 * mib, partBytes: 32 * mib };
const piece = { lines: 100_000, rows: 1_000 };

function put(store: LogStore, texts: readonly string[], more: Partial<typeof room> = {}): void {
  const batch = fitLogBatch(linesOfHost(texts), { nameChars: telemetryLimits.nameChars, oldest: 0 });
  if (batch === undefined) throw new Error("it has no form");
  store.put(batch, { ...room, ...more });
}

function textsIn(store: LogStore, words?: readonly string[]): readonly string[] {
  const query = boundLogQuery({ limit: 1_000, ...(words !== undefined && { words }) }, telemetryLimits);
  return query === undefined ? [] : store.search(query, piece).items.map(({ text }) => text);
}

const number = (sql: string): number => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
const tables = (): readonly string[] =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'log%' AND type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => String(name));

/** Words that no other line has. */
const longText = (n: number): string => Array.from({ length: 60 }, (_, w) => `w${n}x${w}`).join(" ");

test("a day is a part, and what goes with it leaves no table behind", () => {
  const store = openLogStore(db);
  const before = tables();
  put(store, ["a"]);
  put(store, ["b"]);
  const ofOne = tables().length - before.length;
  put(store, ["c"], { now: logBegin + day });
  // A moment back at midnight is the same day; a day and more is another.
  put(store, ["d"], { now: logBegin + day - 1 });
  expect(tables().length - before.length).toBe(2 * ofOne);
  expect(store.prune({ before: logBegin + 1, mostBytes: room.mostBytes, marksBefore: 0 })).toBe(true);
  expect(store.prune({ before: logBegin + 1, mostBytes: room.mostBytes, marksBefore: 0 })).toBe(false);
  expect(textsIn(store)).toEqual(["d", "c"]);
  store.prune({ before: logBegin + 2 * day, mostBytes: room.mostBytes, marksBefore: 0 });
  expect([tables(), textsIn(store)]).toEqual([before, []]);
  put(store, ["e"], { now: logBegin - 3 * day });
  expect(textsIn(store)).toEqual(["e"]);
});

test("what a part takes is what the file has grown by, and the oldest goes before the next begins", () => {
  const store = openLogStore(db);
  const small = { mostBytes: 4 * mib, partBytes: mib / 2 };
  const kept: number[] = [];
  for (let n = 0; n < 200; n += 1) {
    put(
      store,
      Array.from({ length: 20 }, (_, k) => longText(n * 20 + k)),
      small,
    );
    kept.push(number("SELECT sum(bytes) FROM log_parts"));
  }
  expect(Math.max(...kept)).toBeLessThan(4.2 * mib);
  expect(kept.at(-1)).toBeGreaterThan(3 * mib);
  const used = number("PRAGMA page_count") - number("PRAGMA freelist_count");
  expect(used * 4_096).toBeLessThan(4.5 * mib);
  expect(textsIn(store, ["w3999x7"])).toEqual([longText(3_999)]);
  expect(textsIn(store, ["w1x7"])).toEqual([]);
  // A smaller limit after a restart: one part at a time, and the newest stays.
  const again = openLogStore(db);
  let steps = 0;
  while (again.prune({ before: 0, mostBytes: 1, marksBefore: 0 })) steps += 1;
  expect(steps).toBeGreaterThan(3);
  expect(number("SELECT count(*) FROM log_parts")).toBe(1);
  expect(textsIn(again, ["w3999x7"])).toEqual([longText(3_999)]);
});

test("room that logs no longer take goes back to the disk, part by part", () => {
  const store = openLogStore(db);
  for (let n = 0; n < 200; n += 1) {
    put(
      store,
      Array.from({ length: 100 }, (_, k) => longText(n * 100 + k)),
      { partBytes: 4 * mib },
    );
  }
  const before = number("PRAGMA page_count");
  while (store.prune({ before: 0, mostBytes: 1, marksBefore: 0 }));
  while (openHourTable(db).prune(0, 1));
  expect(number("PRAGMA page_count")).toBeLessThan(before * 0.6);
});

test("a batch that fails in the middle leaves nothing, and the next one is written as if it had not been", () => {
  const store = openLogStore(db);
  put(store, ["a"]);
  const failing = {
    node: "n2",
    checkpoint: "lost",
    rows: [{ source: "new", at: logBegin, level: 3, dropped: undefined }],
  };
  const broken = { ...failing, rows: [...failing.rows, ...failing.rows].map((row) => ({ ...row, text: "x" })) };
  // The second row cannot be bound, and by then names, lines and words of the first are there.
  Object.defineProperty(broken.rows[1], "at", { value: Symbol("no time") });
  for (const now of [logBegin, logBegin + day]) {
    expect(() => store.put(broken, { ...room, now })).toThrow();
    expect(store.checkpoint("n2")).toBeUndefined();
    expect(textsIn(store)).toEqual(["a"]);
    expect(textsIn(store, ["x"])).toEqual([]);
  }
  expect(number("SELECT count(*) FROM log_parts")).toBe(1);
  put(store, ["b"]);
  expect([textsIn(store), textsIn(store, ["b"])]).toEqual([["b", "a"], ["b"]]);
  expect(number("SELECT count(*) FROM log_names_1")).toBe(2);
});

test("on a full disk a batch is refused whole, and taken when there is room again", () => {
  const store = openLogStore(db);
  put(store, ["a"]);
  db.exec(`PRAGMA max_page_count = ${number("PRAGMA page_count") + 3}`);
  const long = Array.from({ length: 100 }, (_, k) => longText(k));
  for (const now of [logBegin, logBegin, logBegin + day]) expect(() => put(store, long, { now })).toThrow("full");
  expect([textsIn(store), textsIn(store, ["w1x1"])]).toEqual([["a"], []]);
  db.exec("PRAGMA max_page_count = 100000");
  put(store, long);
  expect(textsIn(store)).toHaveLength(101);
  expect(textsIn(store, ["w1x1"])).toEqual([longText(1)]);
});

test("a host's place is forgotten when it has sent nothing for long", () => {
  const store = openLogStore(db);
  put(store, ["a"]);
  store.prune({ before: 0, mostBytes: room.mostBytes, marksBefore: logBegin });
  expect(store.checkpoint("n1")).toBe("here");
  store.prune({ before: 0, mostBytes: room.mostBytes, marksBefore: logBegin + 1 });
  expect(store.checkpoint("n1")).toBeUndefined();
});

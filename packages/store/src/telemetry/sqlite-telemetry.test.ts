import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fault } from "@gatehouse/contract/faults";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "../database/open-database.ts";
import { transaction } from "../database/transaction.ts";
import { openHourTable } from "./hour-table.ts";
import { linesOfHost, logBegin } from "./log-cases.ts";
import { cpuOf, minuteOf } from "./minute-cases.ts";
import { hourMs } from "./pack-hour.ts";
import { openSqliteTelemetry, openTelemetryThread } from "./sqlite-telemetry.ts";
import { telemetryCases } from "./telemetry-cases.ts";
import { telemetryFormat } from "./telemetry-format.ts";
import type { Telemetry } from "./telemetry.ts";

let directory: string;
let path: string;
let opened: Telemetry[] = [];
let warnings: string[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "telemetry-"));
  path = join(directory, "telemetry.db");
});
afterEach(async () => {
  await Promise.all(opened.map((telemetry) => telemetry.close()));
  opened = [];
  warnings = [];
  rmSync(directory, { recursive: true });
});

type Options = Partial<Parameters<typeof openSqliteTelemetry>[0]>;
const start = (options: Options = {}): Telemetry => {
  const telemetry = openSqliteTelemetry({
    path,
    clock: { now: () => at },
    every: () => () => undefined,
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  opened.push(telemetry);
  return telemetry;
};
const at = Date.UTC(2026, 0, 1);
const known = new Map([["key/a", { at }]]);

/** Looks into the file of a telemetry that is closed. */
const inDatabase = <T>(work: (db: DatabaseSync) => T): T => {
  const db = new DatabaseSync(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
};

/** As a copy that went wrong leaves it. */
const scribble = () => writeFileSync(path, "this is no database, though it is long enough to be one".repeat(200));

describe("telemetry in SQLite", () => {
  telemetryCases(async (deps) => {
    const telemetry = start(deps);
    return {
      telemetry,
      reopen: () => start(deps),
      damage: async () => scribble(),
      damageHour: async (node, hour) => {
        const changed = inDatabase((db) =>
          db
            .prepare(`UPDATE metric_hours SET packed = x'010203'
              WHERE hour = ? AND node = (SELECT id FROM metric_nodes WHERE node = ?)`)
            .run(hour, node),
        );
        expect(changed.changes).toBe(1);
      },
      done: () => telemetry.close(),
    };
  });
});

test("nothing is opened before something is to be written or read", async () => {
  await start().flush();
  await start().close();
  expect(readdirSync(directory)).toEqual([]);
});

test("the file and its companions are for their owner alone", async () => {
  const before = process.umask(0);
  try {
    const modes = () => readdirSync(directory).map((name) => [name, statSync(join(directory, name)).mode & 0o777]);
    for (const end of ["", ".damaged"]) {
      writeFileSync(`${path}${end}`, "");
      chmodSync(`${path}${end}`, 0o644);
    }
    const telemetry = start();
    expect(modes()).toEqual(["telemetry.db", "telemetry.db.damaged"].map((name) => [name, 0o600]));
    await telemetry.lastTouched(["key/a"]);
    const names = ["telemetry.db", "telemetry.db-wal", "telemetry.db.damaged"];
    expect(modes()).toEqual(names.map((name) => [name, 0o600]));
  } finally {
    process.umask(before);
  }
});

test("after closing, telemetry.db alone holds everything", async () => {
  const telemetry = start();
  telemetry.touch("key/a", at);
  await telemetry.close();
  expect(readdirSync(directory)).toEqual(["telemetry.db"]);
});

test("what cannot be used is kept beside, the last one of it", async () => {
  scribble();
  await start().lastTouched(["key/a"]);
  expect(readFileSync(`${path}.damaged`, "utf8")).toContain("this is no database");
  await opened[0]?.close();
  writeFileSync(path, "another thing that is no database".repeat(200));
  await start().lastTouched(["key/a"]);
  expect(readFileSync(`${path}.damaged`, "utf8")).toContain("another thing");
  expect(warnings).toHaveLength(2);
});

test("a file of a newer version, and somebody else's, are set aside whole", async () => {
  await start().lastTouched(["key/a"]);
  await opened[0]?.close();
  const newer = new DatabaseSync(path);
  newer.exec("PRAGMA user_version = 99");
  newer.close();
  expect(await start().lastTouched(["key/a"])).toEqual(new Map());
  await opened[1]?.close();
  rmSync(path);
  const other = new DatabaseSync(path);
  other.exec("CREATE TABLE theirs (x)");
  other.close();
  expect(await start().lastTouched(["key/a"])).toEqual(new Map());
  const kept = new DatabaseSync(`${path}.damaged`);
  expect(kept.prepare("SELECT count(*) AS rows FROM theirs").get()).toMatchObject({ rows: 0 });
  kept.close();
});

test("damage that is found in the middle of the work costs what was kept, and no call fails", async () => {
  // While it is open nobody else can write to it, so the damage is only told of.
  let isDamaged = false;
  const openThread: typeof openTelemetryThread = async (options) => {
    const thread = await openTelemetryThread(options);
    const call: typeof thread.call = (...args) =>
      isDamaged ? Promise.reject(fault("store.archive_damaged", "a page is malformed")) : thread.call(...args);
    const close = () => {
      isDamaged = false;
      return thread.close();
    };
    return { ...thread, call, close };
  };
  const telemetry = start({ openThread });
  telemetry.touch("key/a", at);
  await telemetry.flush();
  isDamaged = true;
  telemetry.touch("key/b", at);
  const reads = [
    telemetry.lastTouched(["key/a"]),
    telemetry.lastTouched(["key/a"]),
    telemetry.searchLogs({ limit: 1 }),
  ];
  const [flushed] = await Promise.all([telemetry.flush(), ...reads]);
  expect(flushed).toBeUndefined();
  telemetry.touch("key/a", at);
  await telemetry.flush();
  expect(await telemetry.lastTouched(["key/a"])).toEqual(known);
  expect(telemetry.dropped()).toBe(0);
  expect(warnings).toHaveLength(1);
});

test("where it cannot be opened, rows are dropped and counted, one line says so, and it is tried again", async () => {
  mkdirSync(path);
  const telemetry = start();
  for (let n = 0; n < 3; n += 1) {
    telemetry.touch("key/a", at);
    await telemetry.flush();
  }
  expect(telemetry.dropped()).toBe(3);
  for (const _ of [1, 2]) expect(await telemetry.putLogs(linesOfHost(["a"]))).toBe(false);
  expect(warnings).toEqual([
    `telemetry: ${path} is not as it should be`,
    "telemetry: writing failed",
    "telemetry: keeping lines of logs failed",
  ]);
  await expect(telemetry.lastTouched(["key/a"])).rejects.toMatchObject({ code: "store.directory_unusable" });
  rmSync(path, { recursive: true });
  telemetry.touch("key/a", at);
  await telemetry.flush();
  expect(await telemetry.lastTouched(["key/a"])).toEqual(known);
});

test("when its thread dies, what was under way is dropped and counted, and the next call opens another", async () => {
  const threads: Awaited<ReturnType<typeof openTelemetryThread>>[] = [];
  const telemetry = start({
    openThread: async (options) => {
      const thread = await openTelemetryThread(options);
      threads.push(thread);
      return thread;
    },
  });
  telemetry.touch("key/a", at);
  await telemetry.flush();
  await threads[0]?.kill();
  telemetry.touch("key/b", at);
  await telemetry.flush();
  expect(telemetry.dropped()).toBe(1);
  telemetry.touch("key/c", at);
  await telemetry.flush();
  expect([...(await telemetry.lastTouched(["key/a", "key/b", "key/c"])).keys()].sort()).toEqual(["key/a", "key/c"]);
  expect(threads).toHaveLength(2);
});

test("a batch is there whole with its checkpoint, or not at all, wherever its thread was killed", async () => {
  let kept = 0;
  for (let round = 0; round < 6; round += 1) {
    let thread: Awaited<ReturnType<typeof openTelemetryThread>> | undefined;
    const telemetry = start({
      openThread: async (options) => {
        thread = await openTelemetryThread(options);
        return thread;
      },
    });
    await telemetry.logCheckpoint("n1");
    let isKilled = false;
    for (let n = 0; !isKilled; n += 1) {
      const checkpoint = String(round * 1_000 + n);
      const texts = Array.from({ length: 200 }, (_, k) => `${checkpoint} ${k}`);
      const put = telemetry.putLogs(linesOfHost(texts, { checkpoint }));
      // Sooner and sooner, and at last before it can have begun.
      if (n === 5 - round) await thread?.kill();
      isKilled = !(await put);
      if (!isKilled) kept += 1;
    }
    await telemetry.close();
    const again = start();
    const checkpoint = await again.logCheckpoint("n1");
    const { items } = await again.searchLogs({ limit: 1_000, words: [`${checkpoint}`] });
    expect(items.filter(({ text }) => text.startsWith(`${checkpoint} `))).toHaveLength(
      checkpoint === undefined ? 0 : 200,
    );
    const { byNode } = await again.countLogs({ from: logBegin, to: logBegin + hourMs, stepMs: hourMs });
    const lines = byNode[0]?.lines ?? 0;
    // One that was written though nobody heard of it any more counts too.
    expect(lines % 200).toBe(0);
    expect(lines / 200).toBeGreaterThanOrEqual(kept);
    kept = lines / 200;
    await again.close();
  }
});

test("a number that nobody can read costs the answer that it is in, and not the file", async () => {
  const telemetry = start();
  await telemetry.putLogs(linesOfHost(["a"]));
  await telemetry.close();
  inDatabase((db) => db.exec("UPDATE log_counts_1 SET lines = 9223372036854775807"));
  const again = start();
  const stretch = { from: logBegin, to: logBegin + hourMs, stepMs: hourMs };
  await expect(again.countLogs(stretch)).rejects.toThrow(RangeError);
  // A sum that is as large as one can be takes no more.
  expect(await again.putLogs(linesOfHost(["b"]))).toBe(true);
  const { byNode } = await again.countLogs(stretch);
  expect(byNode).toEqual([{ node: "n1", lines: Number.MAX_SAFE_INTEGER }]);
  expect((await again.searchLogs({ limit: 5 })).items.map(({ text }) => text)).toEqual(["b", "a"]);
  expect([existsSync(`${path}.damaged`), warnings]).toEqual([false, []]);
});

test("a file of the first version is brought up to date, and what was touched stays", async () => {
  const [first = []] = telemetryFormat.steps;
  const before = openDatabase(path, { ...telemetryFormat, steps: [first] });
  before.prepare("INSERT INTO touches (key, at, origin) VALUES (?, ?, ?)").run("key/a", at, "192.0.2.1");
  before.prepare("INSERT INTO samples (node, name, at, value) VALUES (?, ?, ?, ?)").run("n1", "load", at, 1);
  before.close();
  const telemetry = start();
  expect(await telemetry.lastTouched(["key/a"])).toEqual(new Map([["key/a", { at, from: "192.0.2.1" }]]));
  telemetry.measure([minuteOf(1)]);
  await telemetry.flush();
  expect(await cpuOf(telemetry, 1, 2)).toEqual([1]);
  await telemetry.close();
  expect(warnings).toEqual([]);
  const tables = inDatabase((db) =>
    db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all(),
  );
  expect(tables.map(({ name }) => name)).toEqual([
    "log_ids",
    "log_marks",
    "log_parts",
    "metric_hours",
    "metric_nodes",
    "places",
    "touches",
    "webhook_attempts",
  ]);
  // A server of the version before does not know this one: it sets the file aside, as it does with every newer one.
  expect(() => openDatabase(path, { ...telemetryFormat, steps: [first] })).toThrow(
    "expected at most version 1, found 4",
  );
});

test("a row is a node and an hour, and a node without any is forgotten", async () => {
  let tick = () => undefined as void;
  let now = minuteOf(0).at;
  const telemetry = start({
    clock: { now: () => now },
    every: (_, act) => {
      tick = act;
      return () => undefined;
    },
    keepMinutesMs: 2 * hourMs,
  });
  for (const n of [0, 1, 59, 60, 200]) telemetry.measure([minuteOf(n), minuteOf(n % 60, n, "n2")]);
  await telemetry.flush();
  now += 3 * hourMs;
  tick();
  await expect.poll(() => cpuOf(telemetry, 0, 1, "n2")).toEqual([null]);
  await telemetry.close();
  const begin = minuteOf(0).at / hourMs;
  expect(inDatabase((db) => db.prepare("SELECT hour, node FROM metric_hours").all())).toEqual([
    { hour: begin + 1, node: 1 },
    { hour: begin + 3, node: 1 },
  ]);
  expect(inDatabase((db) => db.prepare("SELECT id, node, newest FROM metric_nodes").all())).toEqual([
    { id: 1, node: "n1", newest: begin + 3 },
  ]);
});

test("what is kept for a shorter time gives its room back to the disk", () => {
  const db = openDatabase(path, telemetryFormat);
  try {
    const hours = openHourTable(db);
    const packed = new Uint8Array(900);
    transaction(db, "IMMEDIATE", () => {
      for (let hour = 0; hour < 30_000; hour += 1) hours.hoursOf(`n${hour % 10}`).write(hour, packed);
    });
    const pages = () => Number(Object.values(db.prepare("PRAGMA page_count").get() ?? {})[0]);
    const before = pages();
    // A tenth is room for what comes.
    while (hours.prune(3_000 * hourMs, 1_000));
    expect(pages()).toBe(before);
    while (hours.prune(29_000 * hourMs, 1_000));
    expect(pages()).toBeLessThan(before * 0.75);
  } finally {
    db.close();
  }
});

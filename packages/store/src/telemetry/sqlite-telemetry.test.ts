import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fault } from "@gatehouse/contract/faults";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteTelemetry, openTelemetryThread } from "./sqlite-telemetry.ts";
import { telemetryCases } from "./telemetry-cases.ts";
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

/** As a copy that went wrong leaves it. */
const scribble = () => writeFileSync(path, "this is no database, though it is long enough to be one".repeat(200));

describe("telemetry in SQLite", () => {
  telemetryCases(async (deps) => {
    const telemetry = start(deps);
    return {
      telemetry,
      reopen: () => start(deps),
      damage: async () => scribble(),
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
  const reads = [telemetry.lastTouched(["key/a"]), telemetry.lastTouched(["key/a"]), telemetry.logs({ limit: 1 })];
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
  expect(warnings).toEqual([`telemetry: ${path} is not as it should be`, "telemetry: writing failed"]);
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

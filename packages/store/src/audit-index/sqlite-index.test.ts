import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../database/open-database.ts";
import { nameSqliteError } from "../database/sqlite-fault.ts";
import type { LoggedEntry } from "../port.ts";
import { indexCases } from "./index-cases.ts";
import { buildLog, entryOf, headAt } from "./sample-logs.ts";
import { logsFormat } from "./logs-format.ts";
import { openLogsHandlers } from "./logs-handlers.ts";
import { openLogsThread, openSqliteIndex, sqliteIndex } from "./sqlite-index.ts";

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "audit-index-"));
  path = join(directory, "logs.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

indexCases("the audit index in SQLite", async () => ({
  index: await openSqliteIndex({ path }),
  reopen: () => openSqliteIndex({ path }),
}));

const modeOf = (file: string) => statSync(file).mode & 0o777;
const many = (count: number): LoggedEntry[] =>
  Array.from({ length: count }, (_, at) => entryOf(at, { subject: `node/${at}`, detail: { text: "x".repeat(200) } }));

test("the file and its companions are for their owner alone", async () => {
  const before = process.umask(0);
  try {
    const index = await openSqliteIndex({ path });
    for (const file of [path, `${path}-wal`]) expect(modeOf(file), file).toBe(0o600);
    expect(existsSync(`${path}-shm`), "what a full disk could not hold").toBe(false);
    await index.close();
    chmodSync(path, 0o644);
    const again = await openSqliteIndex({ path });
    for (const file of [path, `${path}-wal`]) expect(modeOf(file), file).toBe(0o600);
    expect(existsSync(`${path}-shm`), "what a full disk could not hold").toBe(false);
    await again.close();
  } finally {
    process.umask(before);
  }
});

test("after archiving, logs.db alone holds everything", async () => {
  const index = await openSqliteIndex({ path });
  const log = buildLog([many(10)]);
  await index.append(log.bytes);
  const head = headAt(log, 0);
  await index.archive(head);
  const copy = join(directory, "copy.db");
  writeFileSync(copy, readFileSync(path));
  const restored = await openSqliteIndex({ path: copy });
  expect(await restored.archived()).toEqual(head);
  expect((await restored.search({ text: "netguard node", limit: 10 })).items.length).toBe(0);
  expect((await restored.search({ text: "node", limit: 10 })).items.length).toBe(10);
  await Promise.all([index.close(), restored.close()]);
});

test("what was archived survives a thread that dies before it closes the file", async () => {
  const thread = await openLogsThread({ path });
  const index = sqliteIndex(thread);
  const log = buildLog([many(10), many(5)]);
  await index.append(log.bytes);
  const head = headAt(log, 0);
  await index.archive(head);
  await thread.kill();
  const again = await openSqliteIndex({ path });
  expect(await again.archived()).toEqual(head);
  expect(await again.indexed()).toBe(10);
  await again.close();
});

test("a full disk refuses the archive whole, and the next try succeeds", () => {
  const db = openDatabase(path, logsFormat);
  const audit = openLogsHandlers(db);
  const log = buildLog([many(2_000)]);
  audit.append(log.bytes);
  db.exec("PRAGMA max_page_count = 50");
  const attempt = () => {
    try {
      audit.archive(headAt(log, 0));
    } catch (error) {
      throw nameSqliteError(path, error);
    }
  };
  expect(attempt).toThrow(expect.objectContaining({ code: "store.disk_full" }));
  expect(audit.archived().position).toBe(0);
  expect(audit.search({ limit: 1, text: "node 1999" }).items).toContain('"position":2000');
  db.exec("PRAGMA max_page_count = 1000000");
  attempt();
  expect(audit.archived()).toEqual(headAt(log, 0));
  expect(audit.search({ limit: 1, text: "node 1999" }).items).toContain('"position":2000');
  db.close();
});

test("pruning gives space back and leaves no word behind", async () => {
  const index = await openSqliteIndex({ path });
  const log = buildLog([many(3_000), many(10)]);
  await index.append(log.bytes);
  const [first, second] = [headAt(log, 0), headAt(log, 1)];
  await index.archive(second);
  const full = statSync(path).size;
  await index.prune(first.position);
  expect(statSync(path).size).toBeLessThan(full / 2);
  await index.close();
  const db = new DatabaseSync(path);
  const found = db.prepare(`SELECT count(*) AS found FROM audit_text WHERE audit_text MATCH '"node"'`).get();
  expect(found).toMatchObject({ found: 10 });
  db.close();
});

test("a file that is no database is refused by name", async () => {
  writeFileSync(path, "this is not a database, but it is long enough to look at".repeat(100));
  await expect(openSqliteIndex({ path })).rejects.toMatchObject({ code: "store.archive_damaged" });
});

test("somebody else's database is refused and left as it was", async () => {
  const other = new DatabaseSync(path);
  other.exec("CREATE TABLE theirs (x)");
  other.close();
  const bytes = readFileSync(path);
  await expect(openSqliteIndex({ path })).rejects.toMatchObject({ code: "store.archive_damaged" });
  expect(readFileSync(path)).toEqual(bytes);
});

test("a database whose tables are missing is refused by name", async () => {
  await (await openSqliteIndex({ path })).close();
  const db = new DatabaseSync(path);
  db.exec("DROP TABLE audit_meta");
  db.close();
  await expect(openSqliteIndex({ path })).rejects.toMatchObject({ code: "store.archive_damaged" });
});

test.each([0, -1])("tables of a schema of version %i are refused by name", async (version) => {
  await (await openSqliteIndex({ path })).close();
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA user_version = ${version}`);
  db.close();
  await expect(openSqliteIndex({ path })).rejects.toMatchObject({ code: "store.archive_damaged" });
});

test("a number that JavaScript does not hold is damage", async () => {
  await (await openSqliteIndex({ path })).close();
  const db = new DatabaseSync(path);
  db.exec("UPDATE audit_meta SET pruned = 9223372036854775807");
  db.close();
  await expect(openSqliteIndex({ path })).rejects.toMatchObject({ code: "store.archive_damaged" });
});

test("a newer schema is refused and left as it was", async () => {
  await (await openSqliteIndex({ path })).close();
  const db = new DatabaseSync(path);
  db.exec("PRAGMA user_version = 99");
  db.close();
  await expect(openSqliteIndex({ path })).rejects.toMatchObject({
    code: "store.format_unknown",
    fields: { found: 99 },
  });
});

test("damage in the middle of the file is found by those who read it, and named", async () => {
  const index = await openSqliteIndex({ path });
  const log = buildLog([many(3_000)]);
  await index.append(log.bytes);
  const head = headAt(log, 0);
  await index.archive(head);
  await index.close();
  const size = statSync(path).size;
  const file = openSync(path, "r+");
  for (let page = 20; page * 4096 < size; page += 1) writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, page * 4096);
  closeSync(file);
  const damaged = await openSqliteIndex({ path });
  const reads = [
    damaged.groups(0, 10_000),
    damaged.search({ limit: 1_000 }),
    damaged.search({ limit: 1_000, text: "node" }),
    damaged.search({ limit: 10, subject: "node/2000" }),
  ];
  for (const result of await Promise.allSettled(reads)) {
    expect(result).toMatchObject({ status: "rejected", reason: { code: "store.archive_damaged" } });
  }
  await damaged.close();
});

test("a directory that does not exist is refused by name", async () => {
  const nowhere = join(directory, "missing", "logs.db");
  await expect(openSqliteIndex({ path: nowhere })).rejects.toMatchObject({ code: "store.directory_unusable" });
});

test("when the thread dies, what waits is refused, what comes later too, and somebody is told", async () => {
  const deaths: Error[] = [];
  const thread = await openLogsThread({ path, onDeath: (error) => deaths.push(error) });
  const index = sqliteIndex(thread);
  const waiting = [index.append(buildLog([many(5_000)]).bytes), index.search({ limit: 1 })];
  const settled = Promise.allSettled(waiting);
  await thread.kill();
  for (const result of await settled) {
    expect(result).toMatchObject({ status: "rejected", reason: { code: "store.closed" } });
  }
  await expect(index.indexed()).rejects.toMatchObject({ code: "store.closed" });
  expect(deaths).toMatchObject([{ code: "store.closed" }]);
  await index.close();
});

test("what was asked before closing is answered", async () => {
  const index = await openSqliteIndex({ path });
  const appended = index.append(buildLog([many(100)]).bytes);
  const found = index.search({ text: "netguard", limit: 1 });
  await index.close();
  await appended;
  expect((await found).items.length).toBe(0);
});

test("entries that are not what the store writes are refused", async () => {
  const index = await openSqliteIndex({ path });
  const noSubject = { at: 1, actor: "a", action: "b.c" } as LoggedEntry;
  await expect(index.append(buildLog([[noSubject]]).bytes)).rejects.toMatchObject({ code: "store.log_damaged" });
  expect(await index.indexed()).toBe(0);
  await index.close();
});

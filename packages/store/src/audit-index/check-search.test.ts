import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../database/open-database.ts";
import type { LoggedEntry } from "../port.ts";
import type { SearchCheckStep } from "./audit-index.ts";
import { logsFormat } from "./logs-format.ts";
import { openLogsHandlers } from "./logs-handlers.ts";
import { rebuildArchive } from "./rebuild-archive.ts";
import { buildLog, entryOf, headAt } from "./sample-logs.ts";

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "check-search-"));
  path = join(directory, "logs.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

const entries: LoggedEntry[] = Array.from({ length: 2_100 }, (_, at) =>
  entryOf(at * 10, {
    actor: `user_${at % 7}`,
    action: at % 3 === 0 ? "user.created" : "plugin.installed",
    subject: `node/${at}`,
    detail: { name: `Zoë ${at}`, ids: [`id_${at * 7_919}`] },
  }),
);
const log = buildLog(Array.from({ length: 700 }, (_, at) => entries.slice(at * 3, at * 3 + 3)));

/** The handlers of the thread, without the thread. */
function open() {
  const db = openDatabase(path, logsFormat);
  const handlers = openLogsHandlers(db);
  return { ...handlers, db, close: () => db.close() };
}

function archiveAll(): void {
  const archive = open();
  archive.append(log.bytes);
  archive.archive(headAt(log, 699));
  archive.close();
}

/** Edits the file as somebody with the sqlite3 program would. */
function edit(...statements: readonly string[]): void {
  const db = new DatabaseSync(path, { defensive: false });
  for (const sql of statements) db.exec(sql);
  db.close();
}

function look() {
  const archive = open();
  try {
    const quick = archive.quickCheck();
    if (quick !== undefined) return { when: "at start", ...quick };
    let step: SearchCheckStep = archive.checkSearch(true);
    let steps = 1;
    for (; !step.done; steps += 1) step = archive.checkSearch(false);
    return step.flaw === undefined ? { steps } : { when: "in the background", ...step.flaw };
  } finally {
    archive.close();
  }
}

test("an archive that nobody edited has no flaw, and is looked at in steps", () => {
  archiveAll();
  expect(look()).toMatchObject({ steps: expect.any(Number) });
  expect((look() as { steps: number }).steps).toBeGreaterThan(6);
});

test("what was pruned and what is archived meanwhile is no flaw", () => {
  const archive = open();
  archive.append(log.bytes);
  archive.archive(headAt(log, 400));
  archive.prune(headAt(log, 10).position);
  expect(archive.quickCheck()).toBeUndefined();
  expect(archive.checkSearch(true).done).toBe(false);
  archive.archive(headAt(log, 600));
  archive.checkSearch(false);
  archive.prune(headAt(log, 30).position);
  let step = archive.checkSearch(false);
  while (!step.done) step = archive.checkSearch(false);
  expect(step.flaw).toBeUndefined();
  archive.close();
});

const edits: ReadonlyArray<readonly [what: string, sql: readonly string[], where: object]> = [
  ["an action", ["UPDATE audit_entries SET action = 'auth.swept' WHERE position = 4"], { position: 4 }],
  ["a time", ["UPDATE audit_entries SET at = at + 5000000 WHERE position = 900"], { position: 900 }],
  [
    "an actor, without its index",
    ["DROP INDEX audit_actor", "UPDATE audit_entries SET actor = 'x' WHERE position = 4"],
    { when: "at start" },
  ],
  ["a span that speaks for no entry", ["INSERT INTO audit_spans VALUES (77, 0, 1)"], { position: 77 * 1_024 }],
  ["a span that is missing", ["DELETE FROM audit_spans WHERE span = 1"], { position: 1_024 }],
  ["a span that is too narrow", ["UPDATE audit_spans SET latest = latest - 20 WHERE span = 1"], { position: 1_024 }],
  ["a span that is too wide", ["UPDATE audit_spans SET earliest = 0 WHERE span = 1"], { position: 1_024 }],
  ["a span from a text", ["UPDATE audit_spans SET earliest = 'soon' WHERE span = 0"], { position: 1 }],
  ["a span to a text", ["UPDATE audit_spans SET latest = 'late' WHERE span = 2"], { position: 2_048 }],
  ["a span without a beginning", ["UPDATE audit_spans SET earliest = -9e999 WHERE span = 0"], { position: 1 }],
  ["an entry without words", ["DELETE FROM audit_text WHERE rowid = 77"], { found: "others" }],
  [
    "an entry with other words",
    ["DELETE FROM audit_text WHERE rowid = 77", "INSERT INTO audit_text (rowid, words) VALUES (77, 'user_6 plugin')"],
    { found: "others" },
  ],
  [
    "the words of two entries, exchanged",
    [
      "DELETE FROM audit_text WHERE rowid IN (1, 2)",
      `INSERT INTO audit_text (rowid, words) VALUES
        (1, 'user 1 plugin installed node zoë 2 id 7919'), (2, 'user 0 created node zoë id')`,
    ],
    { found: "others" },
  ],
  ["words for no entry", ["INSERT INTO audit_text (rowid, words) VALUES (99999, 'invented')"], { found: "others" }],
  [
    "the place of a page of words",
    ["DELETE FROM audit_text_idx WHERE term = (SELECT max(term) FROM audit_text_idx WHERE term < CAST('1' AS BLOB))"],
    { found: "others" },
  ],
  [
    "another place of a page of words",
    [
      "UPDATE audit_text_idx SET term = CAST('0user' AS BLOB) WHERE term = (SELECT max(term) FROM audit_text_idx WHERE term < CAST('1' AS BLOB))",
    ],
    { found: "others" },
  ],
  [
    "an entry whose words would stay when it is pruned",
    ["DELETE FROM audit_text_docsize WHERE id = 9"],
    { found: "others" },
  ],
  ["words to prune of no entry", ["UPDATE audit_text_docsize SET id = 9999 WHERE id = 9"], { found: "others" }],
  ["a setting of the text index", ["UPDATE audit_text_config SET v = 5 WHERE k = 'version'"], { when: "at start" }],
  ["a trigger", ["CREATE TRIGGER t AFTER INSERT ON audit_groups BEGIN SELECT 1; END"], { when: "at start" }],
  ["a view", ["CREATE VIEW v AS SELECT * FROM audit_entries"], { when: "at start" }],
  [
    "an entry beyond the end",
    ["INSERT INTO audit_entries SELECT 9999, at, actor, action, subject, public FROM audit_entries LIMIT 1"],
    { when: "at start" },
  ],
  ["the last entry", ["DELETE FROM audit_entries WHERE position = 2100"], { when: "at start" }],
  ["an entry in the middle", ["DELETE FROM audit_entries WHERE position = 1500"], { position: 1_500 }],
  ["the last group", ["DELETE FROM audit_groups WHERE first = 2098"], { when: "at start" }],
  ["how much was pruned", ["UPDATE audit_meta SET pruned = 3"], { when: "at start" }],
  [
    "a beginning before the first entry",
    [
      "UPDATE audit_meta SET pruned = -7",
      "INSERT INTO audit_entries SELECT -6, at, actor, action, subject, public FROM audit_entries WHERE position = 1",
      "INSERT INTO audit_groups SELECT -6, 1, changes_hash, link FROM audit_groups WHERE first = 1",
    ],
    { when: "at start", expected: "a beginning between 0 and 2100" },
  ],
  [
    "two tables on the same pages",
    [
      "PRAGMA writable_schema = ON",
      `UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'audit_groups')
        WHERE name = 'audit_spans'`,
    ],
    { when: "at start", found: "two that share theirs" },
  ],
];

test.each(edits)("an edit is found: %s", (_what, sql, where) => {
  archiveAll();
  edit(...sql);
  expect(look()).toMatchObject(where);
});

/** Gives an index the rows of another table's index. */
const withIndexOf = (fill: string): readonly string[] => [
  "CREATE TABLE other (actor TEXT)",
  `INSERT INTO other (rowid, actor) ${fill}`,
  "CREATE INDEX other_actor ON other (actor)",
  "PRAGMA writable_schema = ON",
  `UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'other_actor')
    WHERE name = 'audit_actor'`,
  "DELETE FROM sqlite_schema WHERE name IN ('other', 'other_actor')",
];

test.each([
  ["is missing", "SELECT position, actor FROM audit_entries WHERE position <> 5", { when: "at start" }],
  [
    "says something else",
    "SELECT position, iif(position = 5, 'x', actor) FROM audit_entries",
    { when: "in the background", position: 5 },
  ],
  [
    "points beyond the end",
    "SELECT iif(position = 5, 9999, position), actor FROM audit_entries",
    { when: "in the background", position: 5 },
  ],
])("a row of an index that %s is found", (_what, fill, where) => {
  archiveAll();
  edit(...withIndexOf(fill));
  expect(look()).toMatchObject(where);
});

test("what search goes by is made anew in place", () => {
  archiveAll();
  edit(
    "UPDATE audit_entries SET action = 'auth.swept', at = 3 WHERE position = 4",
    "DELETE FROM audit_spans",
    "DELETE FROM audit_text WHERE rowid > 100",
  );
  const archive = open();
  archive.rebuildSearch();
  archive.close();
  expect(look()).toMatchObject({ steps: expect.any(Number) });
});

test("a file that SQLite cannot walk is made anew from its entries, and kept aside", () => {
  archiveAll();
  edit("CREATE TRIGGER t AFTER INSERT ON audit_groups BEGIN SELECT 1; END", "DROP TABLE audit_text");
  expect(rebuildArchive(path)).toEqual({ kept: "logs.db.before-rebuild" });
  expect(look()).toMatchObject({ steps: expect.any(Number) });
});

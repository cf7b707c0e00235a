import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { logsFormat } from "../audit-index/logs-format.ts";
import { rebuildArchive } from "../audit-index/rebuild-archive.ts";
import { openSqliteIndex } from "../audit-index/sqlite-index.ts";
import { openDatabase } from "../database/open-database.ts";
import { takeLastStep } from "../database/schema.ts";
import { headCases, sampleHead } from "./head-cases.ts";
import { openHeadTable } from "./head-table.ts";
import type { KeptHead, KeptHeads } from "./kept-heads.ts";
import { memoryHeads } from "./memory-heads.ts";

let directory: string;
let path: string;
const closes: (() => unknown)[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "heads-"));
  path = join(directory, "logs.db");
});
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
  rmSync(directory, { recursive: true });
});

headCases("heads in memory", async () => {
  const kept: KeptHead[] = [];
  return { heads: memoryHeads(kept), reopen: async () => memoryHeads(kept) };
});

/** Without the disk's pace: what is shown here is order, not durability. */
function openFast(): { heads: KeptHeads; close: () => void } {
  const db = openDatabase(path, logsFormat);
  db.exec("PRAGMA synchronous = OFF");
  const table = openHeadTable(db, () => takeLastStep(db, logsFormat));
  const close = () => db.isOpen && db.close();
  closes.push(close);
  const heads: KeptHeads = {
    newest: async () => table.newest(),
    keep: async (head) => table.keep(head),
    list: async (from, limit) => table.list(from, limit),
  };
  return { heads, close };
}

headCases("heads in logs.db", async () => {
  const { heads, close } = openFast();
  const reopen = async () => {
    close();
    return openFast().heads;
  };
  return { heads, reopen };
});

function versionOf(): unknown {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare("PRAGMA user_version").get()?.["user_version"];
  } finally {
    db.close();
  }
}

test("a file that is only read stays one of before; the first head makes it one of today", async () => {
  await (await openSqliteIndex({ path })).close();
  await (await openSqliteIndex({ path })).close();
  expect(versionOf()).toBe(1);
  const index = await openSqliteIndex({ path });
  expect(await index.quickCheck()).toBeUndefined();
  await index.heads.keep(sampleHead(1));
  expect(await index.quickCheck()).toBeUndefined();
  await index.close();
  expect(versionOf()).toBe(2);
  const again = await openSqliteIndex({ path });
  closes.push(() => again.close());
  expect(await again.quickCheck()).toBeUndefined();
  expect(await again.heads.newest()).toEqual(sampleHead(1));
});

test("an archive that is made anew keeps the heads", async () => {
  const index = await openSqliteIndex({ path });
  for (const n of [1, 2]) await index.heads.keep(sampleHead(n));
  await index.close();
  rebuildArchive(path);
  const again = await openSqliteIndex({ path });
  closes.push(() => again.close());
  expect(await again.quickCheck()).toBeUndefined();
  expect(await again.heads.list(1, 9)).toEqual([sampleHead(1), sampleHead(2)]);
});

test("heads that cannot be read any more do not keep an archive from being made anew", async () => {
  const index = await openSqliteIndex({ path });
  await index.heads.keep(sampleHead(1));
  await index.close();
  const db = new DatabaseSync(path);
  db.exec("ALTER TABLE witness_heads DROP COLUMN link");
  db.close();
  rebuildArchive(path);
  const again = await openSqliteIndex({ path });
  closes.push(() => again.close());
  expect(await again.quickCheck()).toBeUndefined();
  expect(await again.heads.newest()).toBeUndefined();
});

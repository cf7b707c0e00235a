import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fault, isFault } from "@gatehouse/contract/faults";
import { openDatabase } from "../database/open-database.ts";
import { takeLastStep } from "../database/schema.ts";
import { nameSqliteError } from "../database/sqlite-fault.ts";
import { syncDirectoryNow } from "../database/sync-directory-now.ts";
import { transaction } from "../database/transaction.ts";
import { logsFormat } from "./logs-format.ts";
import { rebuildSearch } from "./rebuild-search.ts";

/**
 * Makes `logs.db` anew from the rows that the chain covers, for when SQLite itself cannot walk the rest. Only their tables are
 * read. `pruned` says where they begin, when the file itself cannot be believed. The damaged file is kept beside it. Blocks the thread: nobody else has the directory, and nothing works without it.
 */
export function rebuildArchive(path: string, pruned?: number): { readonly kept: string } {
  const made = `${path}.rebuilding`;
  const kept = `${path}.before-rebuild`;
  try {
    removeDatabase(made);
    copyRows(path, made, pruned);
    // The first one is kept: what came later is damage to what was made from it.
    if (!existsSync(kept)) linkSync(path, kept);
    // It belongs to the file that goes, and would be played into the one that comes.
    for (const companion of [`${path}-wal`, `${path}-shm`]) rmSync(companion, { force: true });
    renameSync(made, path);
    syncDirectoryNow(dirname(resolve(path)));
    return { kept: basename(kept) };
  } catch (error) {
    removeDatabase(made);
    const named = nameSqliteError(path, error);
    if (isFault(named)) throw named;
    throw fault("store.archive_damaged", `${path} cannot be made anew: ${(error as Error).message}`, { cause: error });
  }
}

function copyRows(from: string, to: string, pruned: number | undefined): void {
  const old = new DatabaseSync(resolve(from), { timeout: 5_000, defensive: true, allowExtension: false });
  try {
    for (const setting of ["locking_mode = EXCLUSIVE", "trusted_schema = OFF", "cell_size_check = ON"]) {
      old.exec(`PRAGMA ${setting}`);
    }
    const db = openDatabase(to, logsFormat);
    try {
      transaction(db, "IMMEDIATE", () => {
        const meta = Object.values(old.prepare("SELECT position, link, pruned FROM audit_meta").get() ?? {});
        db.prepare("UPDATE audit_meta SET position = ?, link = ?, pruned = ?").run(...meta);
        if (pruned !== undefined) db.prepare("UPDATE audit_meta SET pruned = ?").run(pruned);
        for (const { read, write } of copied) {
          const statement = db.prepare(write);
          for (const row of old.prepare(read).iterate(pruned ?? 0)) statement.run(...Object.values(row));
        }
      });
      rebuildSearch(db);
      copyHeads(old, db);
    } finally {
      db.close();
    }
  } finally {
    old.close();
  }
}

/** Heads that cannot be read are gone, and the next ones begin another line: that is for the hosts to refuse, not for the start. */
function copyHeads(old: DatabaseSync, db: DatabaseSync): void {
  const heads = readHeads(old);
  if (heads.length === 0) return;
  takeLastStep(db, logsFormat);
  transaction(db, "IMMEDIATE", () => {
    const write = db.prepare("INSERT INTO main.witness_heads VALUES (?, ?, ?, ?, ?)");
    for (const head of heads) write.run(...Object.values(head));
  });
}

function readHeads(old: DatabaseSync) {
  try {
    return old.prepare("SELECT n, prev, position, link, at FROM main.witness_heads ORDER BY n").all();
  } catch (error) {
    if (isFault(nameSqliteError("logs.db", error))) return [];
    throw error;
  }
}

const within = (column: string): string =>
  `${column} > ? AND ${column} <= (SELECT position FROM audit_meta) ORDER BY ${column}`;

const copied = [
  {
    read: `SELECT first, count, changes_hash, link FROM audit_groups WHERE ${within("first")}`,
    write: "INSERT INTO audit_groups VALUES (?, ?, ?, ?)",
  },
  {
    read: `SELECT position, public FROM audit_entries NOT INDEXED WHERE ${within("position")}`,
    write: "INSERT INTO audit_entries VALUES (?, 0, '', '', '', ?)",
  },
];

function removeDatabase(path: string): void {
  for (const name of [path, `${path}-wal`, `${path}-shm`]) rmSync(name, { force: true });
}

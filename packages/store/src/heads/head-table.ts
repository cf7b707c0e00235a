import type { DatabaseSync } from "node:sqlite";
import { transaction } from "../database/transaction.ts";
import { type KeptHead, mostKeptHeads, nextHeadNumber } from "./kept-heads.ts";

/** Made with the first head: a file that is only read stays one that an earlier version opens. */
export const headSchema: readonly string[] = [
  `CREATE TABLE main.witness_heads (n INTEGER PRIMARY KEY, prev TEXT NOT NULL, position INTEGER NOT NULL, link TEXT NOT NULL,
    at INTEGER NOT NULL) STRICT`,
];

/** The heads in `logs.db`; `begin` makes their table. */
export function openHeadTable(db: DatabaseSync, begin: () => void) {
  let isThere = hasHeadTable(db);
  const newest = (): KeptHead | undefined =>
    isThere
      ? (db.prepare("SELECT n, prev, position, link, at FROM main.witness_heads ORDER BY n DESC LIMIT 1").get() as
          | KeptHead
          | undefined)
      : undefined;
  return {
    newest,
    keep: ({ n, prev, position, link, at }: KeptHead): void => {
      if (!isThere) begin();
      isThere = true;
      transaction(db, "IMMEDIATE", () => {
        const expected = nextHeadNumber(newest());
        if (n !== expected) throw new RangeError(`expected head ${expected}, found ${n}`);
        db.prepare("INSERT INTO main.witness_heads VALUES (?, ?, ?, ?, ?)").run(n, prev, position, link, at);
        db.prepare("DELETE FROM main.witness_heads WHERE n <= ?").run(n - mostKeptHeads);
      });
      // Into logs.db itself: an operator backs up that file, not its companions (contract 2.5).
      db.exec("PRAGMA main.wal_checkpoint(TRUNCATE)");
    },
    list: (from: number, limit: number): KeptHead[] => {
      if (!isThere) return [];
      const found = db
        .prepare("SELECT n, prev, position, link, at FROM main.witness_heads WHERE n >= ? ORDER BY n LIMIT ?")
        .all(from, Math.max(0, limit)) as unknown as KeptHead[];
      return found[0]?.n === from ? found : [];
    },
  };
}

export function hasHeadTable(db: DatabaseSync): boolean {
  return db.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'witness_heads'").get() !== undefined;
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { LoggedEntry } from "@gatehouse/store";
import { searchableText, words } from "../../packages/store/src/audit-index/text.ts";
import { linkOf } from "../../packages/store/src/log-format.ts";
import type { Random } from "../support/random.ts";

/** `logs.db` in the hands of somebody with the sqlite3 program. */
export interface ArchiveFile {
  readonly exec: (sql: string) => void;
  readonly run: (sql: string, ...values: SQLInputValue[]) => void;
  readonly rows: (sql: string, ...values: SQLInputValue[]) => Row[];
  /** Changes the schema as text, past every rule of SQLite, and reads it again. */
  readonly schema: (sql: string, ...values: SQLInputValue[]) => void;
}

type Row = Readonly<Record<string, SQLInputValue>>;

/** The bytes of the file after `work`. */
export function editArchive(bytes: Buffer, work: (archive: ArchiveFile) => void): Buffer {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-tamper-"));
  try {
    const path = join(directory, "logs.db");
    writeFileSync(path, bytes);
    const db = new DatabaseSync(path, { defensive: false });
    try {
      db.exec("PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON");
      work(openArchive(db));
    } finally {
      db.close();
    }
    return readFileSync(path);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function openArchive(db: DatabaseSync): ArchiveFile {
  const run = (sql: string, ...values: SQLInputValue[]) => {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    const { changes } = statement.run(...values);
    // An edit that changes nothing would be accepted for a good reason.
    if (changes === 0n) throw new Error(`it changed nothing: ${sql}`);
  };
  return {
    exec: (sql) => db.exec(sql),
    run,
    rows: (sql, ...values) => {
      const statement = db.prepare(sql);
      // Pages of the text index have numbers that no JavaScript number holds.
      statement.setReadBigInts(sql.includes("audit_text_data"));
      return statement.all(...values);
    },
    schema: (sql, ...values) => {
      db.exec("PRAGMA writable_schema = ON");
      run(sql, ...values);
      db.exec("PRAGMA writable_schema = RESET");
    },
  };
}

export interface Entry {
  readonly position: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly public: string;
}

export function pickEntry({ rows }: ArchiveFile, random: Random): Entry {
  return random.pick(rows("SELECT * FROM audit_entries") as unknown as Entry[]);
}

/** Two entries that differ in every field that search goes by. */
export function pickTwo(archive: ArchiveFile, random: Random): readonly [Entry, Entry] {
  const one = pickEntry(archive, random);
  const fields = ["at", "actor", "action", "subject"] as const;
  const all = archive.rows("SELECT * FROM audit_entries") as unknown as Entry[];
  return [one, random.pick(all.filter((each) => fields.every((field) => each[field] !== one[field])))];
}

/** What the text index knows of an entry. */
export function wordsOf(text: string): string[] {
  return words(searchableText(JSON.parse(text) as LoggedEntry));
}

export interface Group {
  readonly first: number;
  readonly count: number;
  readonly changes_hash: string;
  readonly link: string;
}

export function groupsOf({ rows }: ArchiveFile): Group[] {
  return rows("SELECT * FROM audit_groups ORDER BY first") as unknown as Group[];
}

/** Recomputes every link behind a position, which needs no key; returns the last. */
export function relink(archive: ArchiveFile, from: number, floorLink: string): string {
  let link = floorLink;
  for (const group of groupsOf(archive)) {
    if (group.first + group.count <= from) {
      link = group.link;
      continue;
    }
    const texts = archive
      .rows(
        "SELECT public FROM audit_entries WHERE position BETWEEN ? AND ? ORDER BY position",
        group.first,
        group.first + group.count - 1,
      )
      .map((row) => row["public"] as string);
    link = linkOf(link, group.first, group.count, `[${texts.join(",")}]`, group.changes_hash);
    archive.exec(`UPDATE audit_groups SET link = '${link}' WHERE first = ${group.first}`);
  }
  return link;
}

/** Does `work` while SQLite does not know of an index, so that the index keeps what it says. */
export function withoutIndex(archive: ArchiveFile, index: string, work: () => void): void {
  const [row] = archive.rows("SELECT * FROM sqlite_schema WHERE name = ?", index);
  archive.schema("DELETE FROM sqlite_schema WHERE name = ?", index);
  work();
  archive.schema("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", ...Object.values(row ?? {}));
}

export function sqlOf({ rows }: ArchiveFile, name: string): string {
  return rows("SELECT sql FROM sqlite_schema WHERE name = ?", name)[0]?.["sql"] as string;
}

/** Does `work` while SQLite knows something by another definition. */
export function redefined(archive: ArchiveFile, name: string, change: (sql: string) => string, work: () => void): void {
  const sql = sqlOf(archive, name);
  archive.schema("UPDATE sqlite_schema SET sql = ? WHERE name = ?", change(sql), name);
  work();
  archive.schema("UPDATE sqlite_schema SET sql = ? WHERE name = ?", sql, name);
}

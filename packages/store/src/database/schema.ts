import type { DatabaseSync } from "node:sqlite";
import { fault } from "@gatehouse/contract/faults";
import { transaction } from "./transaction.ts";

/** What makes one database file of ours different from another. */
export interface DatabaseFormat {
  /** How faults call the file. */
  readonly name: string;
  /** Marks the file as ours, so that somebody else's database is never written to. */
  readonly applicationId: number;
  /** What each version added, oldest first: step n leads from version n to n + 1. A step that was released is never edited. */
  readonly steps: readonly (readonly string[])[];
  /** Settings of every connection. */
  readonly settings: readonly string[];
}

/** The version of the file, 0 for an empty one. Reads only. */
export function checkVersion(db: DatabaseSync, { name, applicationId, steps }: DatabaseFormat): number {
  const version = readNumber(db, "PRAGMA user_version");
  if (version > steps.length) {
    throw fault("store.format_unknown", `${name}: expected at most version ${steps.length}, found ${version}`, {
      fields: { expected: steps.length, found: version },
    });
  }
  const isNew = version === 0 && readNumber(db, "SELECT count(*) FROM sqlite_schema") === 0;
  // The version is set with the first table, in one transaction.
  if (!isNew && (version < 1 || readNumber(db, "PRAGMA application_id") !== applicationId)) {
    throw fault("store.archive_damaged", `${name}: expected a database of ours, found another one`);
  }
  return version;
}

export function migrate(db: DatabaseSync, version: number, { applicationId, steps }: DatabaseFormat): void {
  if (version === steps.length) return;
  transaction(db, "IMMEDIATE", () => {
    for (const step of steps.slice(version)) for (const sql of step) db.exec(sql);
    db.exec(`PRAGMA application_id = ${applicationId}`);
    db.exec(`PRAGMA user_version = ${steps.length}`);
  });
}

function readNumber(db: DatabaseSync, sql: string): number {
  return Object.values(db.prepare(sql).get() ?? {})[0] as number;
}

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
  /** One more, taken by whoever needs what it adds: a file of before that is only read stays as it was. */
  readonly lastStep?: readonly string[];
  /** Settings of every connection. */
  readonly settings: readonly string[];
}

/** The version of the file, 0 for an empty one. Reads only. */
export function checkVersion(db: DatabaseSync, { name, applicationId, steps, lastStep }: DatabaseFormat): number {
  const version = readVersion(db);
  const newest = steps.length + (lastStep === undefined ? 0 : 1);
  if (version > newest) {
    throw fault("store.format_unknown", `${name}: expected at most version ${newest}, found ${version}`, {
      fields: { expected: newest, found: version },
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
  if (version >= steps.length) return;
  transaction(db, "IMMEDIATE", () => {
    for (const step of steps.slice(version)) for (const sql of step) db.exec(sql);
    db.exec(`PRAGMA application_id = ${applicationId}`);
    db.exec(`PRAGMA user_version = ${steps.length}`);
  });
}

/** For a file that all the other steps led to. */
export function takeLastStep(db: DatabaseSync, { steps, lastStep = [] }: DatabaseFormat): void {
  transaction(db, "IMMEDIATE", () => {
    for (const sql of lastStep) db.exec(sql);
    db.exec(`PRAGMA user_version = ${steps.length + 1}`);
  });
}

export function readVersion(db: DatabaseSync): number {
  return readNumber(db, "PRAGMA user_version");
}

function readNumber(db: DatabaseSync, sql: string): number {
  return Object.values(db.prepare(sql).get() ?? {})[0] as number;
}

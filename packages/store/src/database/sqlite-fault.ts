import { type FaultCode, fault } from "@gatehouse/contract/faults";

/** SQLite's primary result codes that are somebody's to act on; the others are defects and stay errors. */
const codes: Readonly<Record<number, FaultCode>> = {
  8: "store.directory_unusable", // SQLITE_READONLY
  10: "store.directory_unusable", // SQLITE_IOERR
  11: "store.archive_damaged", // SQLITE_CORRUPT
  13: "store.disk_full", // SQLITE_FULL
  14: "store.directory_unusable", // SQLITE_CANTOPEN
  26: "store.archive_damaged", // SQLITE_NOTADB
};

/** Names what SQLite complains about. Damage is often found long after the opening, so every answer passes here. */
export function nameSqliteError(path: string, error: unknown): unknown {
  // No number of ours is beyond what JavaScript holds: it was put there.
  if (isOutOfRange(error)) {
    return fault("store.archive_damaged", `${path}: ${error.message}`, { cause: error });
  }
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return error;
  // Our statements name only what the schema step made: something that is missing was lost.
  const code = error.message.startsWith("no such ") ? "store.archive_damaged" : codes[error.errcode & 0xff];
  return code === undefined ? error : fault(code, `${path}: ${error.message}`, { cause: error });
}

/** For a database in which others' numbers are added up: there it is one answer that fails, and says nothing about the file. */
export function nameUnlessOutOfRange(path: string, error: unknown): unknown {
  return isOutOfRange(error) ? error : nameSqliteError(path, error);
}

function isOutOfRange(error: unknown): error is RangeError {
  return error instanceof RangeError && "code" in error && error.code === "ERR_OUT_OF_RANGE";
}

import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fault, isFault } from "@gatehouse/contract/faults";
import { ownFile } from "@gatehouse/files";
import { syncDirectoryNow } from "./sync-directory-now.ts";
import { checkVersion, type DatabaseFormat, migrate } from "./schema.ts";

/**
 * Opens a database of ours and brings its schema up to date. One connection does everything: the thread that holds it is
 * the queue. Nothing is written before the file is known to be ours and not newer than we are.
 */
export function openDatabase(path: string, format: DatabaseFormat): DatabaseSync {
  restrictFiles(path);
  // Absolute, because SQLite takes a path that begins with `file:` for a URI.
  const db = new DatabaseSync(resolve(path), { timeout: 5_000, defensive: true, allowExtension: false });
  try {
    // Before anything is read. The directory belongs to one process, so nobody has to share an index of the write-ahead log
    // in a file of its own: that file could not be made on a full disk, and then not even reading would begin.
    db.exec("PRAGMA locking_mode = EXCLUSIVE");
    const version = checkVersion(db, format);
    // These stay in the file. Set again they would count as a change, and who only verifies must change nothing.
    if (version === 0) for (const setting of lasting) db.exec(`PRAGMA ${setting}`);
    for (const setting of [...guards, ...format.settings]) db.exec(`PRAGMA ${setting}`);
    migrate(db, version, format);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const lasting = [
  // Pruning gives pages back to the disk, because a full disk is why people prune.
  "auto_vacuum = INCREMENTAL",
  "journal_mode = WAL",
];

const guards = ["journal_size_limit = 67108864", "trusted_schema = OFF", "cell_size_check = ON"];

/** SQLite gives its companions the mode of the database file; those of an earlier run keep what they have. */
function restrictFiles(path: string): void {
  try {
    ownFile(path, true);
    for (const companion of [`${path}-wal`, `${path}-shm`]) ownFile(companion, false);
    syncDirectoryNow(dirname(path));
  } catch (cause) {
    if (isFault(cause)) throw cause;
    throw fault("store.directory_unusable", `${path}: ${(cause as Error).message}`, { cause });
  }
}

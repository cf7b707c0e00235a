import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fault } from "@gatehouse/contract/faults";
import { ownFile } from "@gatehouse/files";

export interface DirectoryLock {
  release(): void;
}

/**
 * One process per directory: an exclusive SQLite transaction on a file nothing else opens. The kernel drops it with the
 * process, however that ends; Node has no flock, and as PID 1 in a container a pid file proves nothing.
 */
export function lockDirectory(directory: string): DirectoryLock {
  // Absolute, because SQLite takes a path that begins with `file:` for a URI, and one with parameters for its own.
  const path = resolve(directory, "state.json.lock");
  ownFile(path, true);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw fault("store.locked", `${directory} is in use by another process`, { cause: error });
  }
  return { release: () => database.close() };
}

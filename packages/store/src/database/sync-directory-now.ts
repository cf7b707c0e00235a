import { closeSync, fsyncSync, openSync } from "node:fs";

/** Names that were made or changed in a directory survive a power cut. For a database's thread, which waits for its disk. */
export function syncDirectoryNow(path: string): void {
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

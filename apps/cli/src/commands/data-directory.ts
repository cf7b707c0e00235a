import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Given, UsageError } from "@gatehouse/command-line";
import { settings } from "@gatehouse/contract/settings";
import type { Surroundings } from "../command.ts";

/** The flags of every command that works on the files of a stopped server. */
export const directoryFlags = {
  "data-dir": {
    value: "DIR",
    about: "The data directory. Without it, SERVICE_DATA_DIR, else ./data, as the server does.",
  },
  "master-key-file": {
    value: "FILE",
    about: "The master key, when it is not master.key in that directory. Without it, SERVICE_MASTER_KEY_FILE.",
  },
} as const;

/** Which files are meant: what is given wins over the environment, and that over the server's default. */
export async function findDataDirectory(
  given: Given<typeof directoryFlags>,
  { environment }: Surroundings,
): Promise<{ directory: string; masterKeyFile?: string }> {
  const directory = given["data-dir"] ?? (environment["SERVICE_DATA_DIR"] || settings.SERVICE_DATA_DIR.default);
  const found = await stat(directory).catch(() => undefined);
  // Looked at first, because a lock in a directory that does not exist would be the wrong complaint.
  if (found?.isDirectory() !== true)
    throw new UsageError(`there is no directory ${JSON.stringify(directory)}; write --data-dir DIR`);
  const masterKeyFile = given["master-key-file"] ?? environment["SERVICE_MASTER_KEY_FILE"];
  return { directory, ...(masterKeyFile ? { masterKeyFile } : {}) };
}

/**
 * For those who write: looked at before the directory is opened, which would make a new store in an empty one. What another
 * user writes the server could not read.
 */
export async function checkOwner(directory: string, topic: string): Promise<void> {
  const files = ["state.json", "state.json.audit-wal"].map((name) => join(directory, name));
  const found = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
  const owner = found.find((file) => file !== undefined)?.uid;
  if (owner === undefined)
    throw new UsageError(`${JSON.stringify(directory)} does not hold the data of a server`, topic);
  if (owner === process.getuid?.()) return;
  throw new UsageError(`the data belongs to the user with the number ${owner}; run this as that user`, topic);
}

/** Loaded by those who need it: commands that ask a server start sooner without the store and its database. */
export function loadStore() {
  return import("@gatehouse/store");
}

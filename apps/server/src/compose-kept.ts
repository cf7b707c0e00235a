import { join } from "node:path";
import { type Clock, runAll } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract";
import {
  type FileStore,
  type KeptHeads,
  openFileStore,
  type OpeningEntry,
  openingEntries,
  openSecrets,
  type Secrets,
  type Store,
} from "@gatehouse/store";
import { type Blobs, openFileBlobs } from "@gatehouse/store/blobs";
import { openSqliteTelemetry, type Telemetry } from "@gatehouse/store/telemetry";
import type { Config } from "./config.ts";
import type { Log } from "./platform/log/index.ts";

export interface KeptDeps {
  readonly config: Pick<
    Config,
    "dataDir" | "masterKeyFile" | "metricsRetentionDays" | "hostLogsRetentionDays" | "hostLogsMaxGib"
  >;
  readonly log: Log;
  readonly clock: Clock;
  /** Calls again and again; returns the way to stop. */
  readonly every: (ms: number, act: () => void) => () => void;
  /** The disk failed: the process is to end. */
  readonly onFatal: (error: unknown) => void;
}

/**
 * What is kept in the data directory. The store comes with the key for what is sealed in it: one without the other would
 * seal what nobody can open after a restart.
 */
export interface Kept {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly telemetry: Telemetry;
  readonly blobs: Blobs;
  /** What was signed of the log. */
  readonly heads: KeptHeads;
}

const dayMs = 24 * 60 * 60_000;

/** The store first: it takes the lock of the directory, and telemetry is given back before it. */
export async function openKept(deps: KeptDeps): Promise<Kept> {
  const store = await openStore(deps);
  const blobs = await openFileBlobs({
    directory: deps.config.dataDir,
    clock: deps.clock,
    requireSpace: (bytes) => store.requireSpace(bytes),
  });
  const telemetry = openSqliteTelemetry({
    path: join(deps.config.dataDir, "telemetry.db"),
    clock: deps.clock,
    every: deps.every,
    mayGrow: () => !store.lowOnSpace,
    keepMinutesMs: deps.config.metricsRetentionDays * dayMs,
    keepLogsMs: deps.config.hostLogsRetentionDays * dayMs,
    mostLogBytes: deps.config.hostLogsMaxGib * 1024 ** 3,
    onWarning: warningsOf(deps.log),
  });
  return { store, secrets: openSecrets(store.key), telemetry, blobs, heads: store.heads };
}

export function closeKept({ store, telemetry }: Kept): Promise<void> {
  return runAll([() => telemetry.close(), () => store.close()]);
}

function warningsOf(log: Log): (message: string, cause?: unknown) => void {
  return (message, cause) => log.warn(message, { cause: cause instanceof Error ? cause.message : undefined });
}

const openingWords: Readonly<Record<OpeningEntry["action"], string>> = {
  "store.end_cut": "the end of the audit log was cut off: a write that power or a kill interrupted",
  "audit.archive_rebuilt": "logs.db was damaged or edited, and was made anew from its entries",
};

async function openStore({ config, log, clock, onFatal }: KeptDeps): Promise<FileStore> {
  const store = await openFileStore({
    directory: config.dataDir,
    masterKeyFile: config.masterKeyFile,
    onWarning: warningsOf(log),
    onFatal,
  });
  for (const entry of openingEntries(store, { actor: "system", at: clock.now() })) {
    log.warn(openingWords[entry.action], entry.detail);
    // A full disk takes no record of it, and must not keep anybody from reading.
    await store.commit(entry).catch((error: unknown) => {
      if (!isFault(error, "store.disk_full")) throw error;
      log.error("what opening the files changed was not written into the audit log", { action: entry.action }, error);
    });
  }
  return store;
}

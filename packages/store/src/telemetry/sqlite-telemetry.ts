import { isFault } from "@gatehouse/contract/faults";
import { isAbsent, nodeVfs, ownFile } from "@gatehouse/files";
import { type DatabaseThread, type DatabaseThreadOptions, openDatabaseThread } from "../database/database-thread.ts";
import { joinMinutes } from "./minute-rows.ts";
import { packLogBatch } from "./pack-log-batch.ts";
import { openTelemetry, type TelemetryDeps, type TelemetryRows } from "./open-telemetry.ts";
import type { TelemetryHandlers } from "./telemetry-handlers.ts";
import { type Telemetry, telemetryLimits } from "./telemetry.ts";

export interface SqliteTelemetryOptions extends TelemetryDeps {
  /** Where `telemetry.db` is, or will be. Its directory exists and belongs to this process. */
  readonly path: string;
  /** For tests: another way to the thread. */
  readonly openThread?: typeof openTelemetryThread;
}

type Thread = DatabaseThread<TelemetryHandlers>;

/** Telemetry in a database of its own, on a thread of its own (decision 0007). Nothing is opened before it is needed. */
export function openSqliteTelemetry(options: SqliteTelemetryOptions): Telemetry {
  restrictFiles(options);
  return openTelemetry(sqliteRows(options), options);
}

/** A copy made by hand may have left them readable for others. What cannot be mended is told; the opening refuses it. */
function restrictFiles({ path, onWarning }: SqliteTelemetryOptions): void {
  for (const end of ["", "-wal", "-shm", ".damaged", ".damaged-wal"]) {
    try {
      ownFile(`${path}${end}`, false);
    } catch (error) {
      onWarning?.(`telemetry: ${path}${end} is not as it should be`, error);
    }
  }
}

export function openTelemetryThread(options: DatabaseThreadOptions): Promise<Thread> {
  return openDatabaseThread(program, options);
}

const program = { file: new URL("./telemetry-worker.ts", import.meta.url), name: "telemetry-db" };

function sqliteRows(options: SqliteTelemetryOptions): TelemetryRows {
  const { path, onWarning, limits, openThread = openTelemetryThread } = options;
  let thread: Promise<Thread> | undefined;

  const forget = (used: Promise<Thread>): void => {
    if (thread === used) thread = undefined;
  };
  const start = (): Promise<Thread> =>
    openThread({
      path,
      onDeath: (error) => onWarning?.("telemetry: its thread has ended; the next call opens another", error),
    });
  const anew = async (used: Promise<Thread>, cause: unknown): Promise<Thread> => {
    await used.then((old) => old.close()).catch(() => undefined);
    onWarning?.(`telemetry: ${path} cannot be used; it is set aside as ${path}.damaged, and begun anew`, cause);
    await setAside(path);
    return start();
  };
  const call = async <T>(work: (open: Thread) => Promise<T>, isSecond = false): Promise<T> => {
    thread ??= start();
    const used = thread;
    try {
      return await work(await used);
    } catch (error) {
      if (isBeyondUse(error) && !isSecond) {
        // The first who finds it replaces it; the others wait for that.
        if (thread === used) thread = anew(used, error);
        return call(work, true);
      }
      // It ended, or never opened: the next call tries again.
      if (isFault(error, "store.closed")) forget(used);
      else await used.catch(() => forget(used));
      throw error;
    }
  };

  const most = limits?.prunedRows ?? telemetryLimits.prunedRows;
  return {
    write: ({ minutes, ...others }) =>
      call((open) => {
        // Joined anew for a second attempt: what was handed over is no longer ours.
        const joined = joinMinutes(minutes);
        return open.call("write", [{ ...others, minutes: joined }], [joined.rows.buffer]);
      }),
    lastTouched: (keys) => call((open) => open.call("lastTouched", [keys])),
    measured: (query, waiting) => call((open) => open.call("measured", [query, waiting])),
    putLogs: (batch, room) => {
      const packed = packLogBatch(batch);
      return call((open) => open.call("putLogs", [packed, room]));
    },
    logCheckpoint: (node) => call((open) => open.call("logCheckpoint", [node])),
    searchLogs: (query, piece) => call((open) => open.call("searchLogs", [query, piece])),
    countLogs: (query, piece) => call((open) => open.call("countLogs", [query, piece])),
    keepPlace: (known) => call((open) => open.call("keepPlace", [known])),
    placesOf: (service, addresses) => call((open) => open.call("placesOf", [service, addresses])),
    keepAttempt: (attempt, ofOne, ofAll) => call((open) => open.call("keepAttempt", [attempt, ofOne, ofAll])),
    attemptsOf: (webhook) => call((open) => open.call("attemptsOf", [webhook])),
    prune: (before) => call((open) => open.call("prune", [before, most])),
    close: async () => (await thread)?.close(),
  };
}

/** Damaged, somebody else's, or of a newer version. A full disk or a missing right is none of these: that passes. */
function isBeyondUse(error: unknown): boolean {
  return isFault(error, "store.archive_damaged") || isFault(error, "store.format_unknown");
}

/** One is kept, for whoever wants to look; the next takes its place. Its log goes with it, or the new database would read it. */
async function setAside(path: string): Promise<void> {
  const moves = [
    [path, `${path}.damaged`],
    [`${path}-wal`, `${path}.damaged-wal`],
  ] as const;
  for (const [from, to] of moves) {
    await nodeVfs.rename(from, to).catch((error: unknown) => {
      if (!isAbsent(error)) throw error;
    });
  }
  await nodeVfs.remove(`${path}-shm`);
}

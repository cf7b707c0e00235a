import { copyFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { auditFloorKey } from "@gatehouse/contract/records";
import { nodeVfs } from "@gatehouse/files";
import { rebuildArchive } from "./audit-index/rebuild-archive.ts";
import { openSqliteIndex } from "./audit-index/sqlite-index.ts";
import { openLogFile } from "./boot.ts";
import { archiveName } from "./check-archive.ts";
import { type Diagnosis, type Examined, examineDirectory, type RecoverOptions } from "./examine-directory.ts";
import { openFileStore } from "./file-store.ts";
import { lockDirectory } from "./lock.ts";
import { logName } from "./log-reader.ts";
import { createLog } from "./log-writer.ts";
import { masterKeyName } from "./master-key.ts";
import { stateName, writeState } from "./state-file.ts";

const vfs = nodeVfs;

/** Looks at the four files without changing any. */
export async function diagnoseDataDirectory(options: RecoverOptions): Promise<Diagnosis> {
  const lock = lockDirectory(options.directory);
  try {
    return (await examineDirectory(options)).diagnosis;
  } finally {
    lock.release();
  }
}

/**
 * Does what the diagnosis proposes. Every file it replaces is kept beside it; what was lost stands in the audit log as
 * `state.recovered`. Refuses when only a backup helps.
 */
export async function recoverDataDirectory(
  options: RecoverOptions,
): Promise<Diagnosis & { readonly kept: readonly string[] }> {
  const at = (options.clock ?? systemClock).now();
  const kept: string[] = [];
  const lock = lockDirectory(options.directory);
  let diagnosis: Diagnosis;
  try {
    const found = await examineDirectory(options);
    diagnosis = found.diagnosis;
    if (found.unreadable !== undefined) throw found.unreadable;
    const hopeless = diagnosis.findings.find((finding) => !finding.ok && finding.remedy === undefined);
    if (hopeless !== undefined)
      throw fault(
        hopeless.file === masterKeyName ? "store.key_missing" : "store.state_damaged",
        `${hopeless.file}: ${hopeless.detail}; only a backup helps`,
      );
    if (!diagnosis.healthy) await apply(options.directory, found, `before-recover-${at}`, kept);
  } finally {
    lock.release();
  }
  if (!diagnosis.healthy) await record(options, diagnosis, at, kept);
  return { ...diagnosis, kept };
}

async function apply(directory: string, found: Examined, suffix: string, kept: string[]): Promise<void> {
  const { key, state, reading, diagnosis } = found;
  if (key === undefined || state === undefined) throw fault("store.state_damaged", "only a backup helps");
  const remedies = new Set(diagnosis.findings.map((finding) => finding.remedy?.name));
  const keep = async (name: string, how: typeof copyFile): Promise<void> => {
    const aside = `${name}.${suffix}`;
    await how(join(directory, name), join(directory, aside)).then(
      () => kept.push(aside),
      (error: unknown) => {
        if ((error as { code?: string }).code !== "ENOENT") throw error;
      },
    );
  };
  let base = reading?.base ?? state.head;
  if (remedies.has("cut-log") && reading !== undefined) {
    await keep(logName, copyFile);
    const file = await openLogFile(vfs, directory, "write");
    await file.truncate(reading.end);
    await file.sync();
    await file.close();
  }
  if (remedies.has("new-log")) {
    await keep(logName, copyFile);
    await createLog(vfs, directory, state.head);
    base = state.head;
  }
  const floor = remedies.has("new-archive") ? base : undefined;
  if (remedies.has("accept-state") || floor !== undefined) {
    await keep(stateName, copyFile);
    const records = state.records.filter((record) => floor === undefined || record.key.text !== auditFloorKey.text);
    // An archive that begins at the beginning needs no word about where it does.
    const isMarked = floor !== undefined && floor.position > 0;
    const mark = { key: auditFloorKey, version: state.head.position, value: { ...floor } };
    // In its own format: behind a state of an earlier version the log has no seals yet, and the next start renews both.
    await writeState({
      vfs,
      path: join(directory, stateName),
      key,
      format: state.format,
      head: state.head,
      records: isMarked ? [...records, mark] : records,
    });
  }
  if (remedies.has("rebuild-archive"))
    kept.push(rebuildArchive(join(directory, archiveName), found.floor?.position).kept);
  if (floor !== undefined) {
    for (const name of [archiveName, "logs.db-wal", "logs.db-shm"]) await keep(name, rename);
    const index = await openSqliteIndex({ path: join(directory, archiveName) });
    await index.beginAt(floor);
    await index.close();
  }
}

/** Opens what was recovered and writes down what was done, so that nobody has to remember it. */
async function record(
  options: RecoverOptions,
  diagnosis: Diagnosis,
  at: number,
  kept: readonly string[],
): Promise<void> {
  const { directory, masterKeyFile, kinds } = options;
  const store = await openFileStore({ directory, masterKeyFile, kinds });
  try {
    const done = diagnosis.findings.filter((finding) => !finding.ok);
    const detail = {
      findings: done.map(({ file, detail: found, remedy }) => ({
        file,
        found: found.slice(0, 1_000),
        effect: remedy?.effect ?? "",
      })),
      kept: [...kept],
    };
    await store.commit({ at, actor: "cli", action: "state.recovered", subject: stateName, detail });
  } finally {
    await store.close();
  }
}

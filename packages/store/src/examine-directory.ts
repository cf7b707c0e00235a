import { join } from "node:path";
import { type Clock, Fault } from "@gatehouse/base";
import { auditFloorKey } from "@gatehouse/contract/records";
import { nodeVfs } from "@gatehouse/files";
import { openSqliteIndex } from "./audit-index/sqlite-index.ts";
import { openLogFile, readCommits, readRecords, requireSeal } from "./boot.ts";
import { archiveName, describeFlaw, findArchiveFlaw, verifyArchive } from "./check-archive.ts";
import { type Kinds, productKinds } from "./kinds.ts";
import { genesis } from "./log-format.ts";
import { type LogReading, logName, readLog } from "./log-reader.ts";
import { type LogSeal, openLogSeal } from "./log-seal.ts";
import { type MasterKey, masterKeyName, openMasterKey } from "./master-key.ts";
import type { Head } from "./port.ts";
import type { TableRecord } from "./record-table.ts";
import { type ReadState, readState, stateName } from "./state-file.ts";

/** Something found in a data directory, and what `recoverDataDirectory` would do about it. */
export interface Finding {
  readonly file: string;
  readonly ok: boolean;
  readonly detail: string;
  /** Absent when only a backup helps. */
  readonly remedy?: { readonly name: RemedyName; readonly effect: string };
}

export type RemedyName = "accept-state" | "cut-log" | "new-log" | "new-archive" | "rebuild-archive";

export interface Diagnosis {
  readonly findings: readonly Finding[];
  readonly healthy: boolean;
  /** True when every finding that is not ok has a remedy. */
  readonly recoverable: boolean;
}

export interface RecoverOptions {
  readonly directory: string;
  readonly masterKeyFile?: string | undefined;
  /** For tests: other kinds of records than the contract's table has. */
  readonly kinds?: Kinds | undefined;
  readonly clock?: Clock;
}

const vfs = nodeVfs;

export interface Examined {
  readonly diagnosis: Diagnosis;
  /** A record that this version cannot read: the files are whole, and nothing here helps. */
  readonly unreadable?: Fault;
  readonly key?: MasterKey;
  readonly state?: { readonly format: number; readonly head: Head; readonly records: readonly TableRecord[] };
  readonly reading?: LogReading;
  readonly floor?: Head;
}

/** Looks at the four files and changes none; whoever asks has the lock of the directory. */
export async function examineDirectory({
  directory,
  masterKeyFile,
  kinds = productKinds,
}: RecoverOptions): Promise<Examined> {
  const findings: Finding[] = [];
  const conclude = (more: Omit<Examined, "diagnosis"> = {}): Examined => {
    const healthy = findings.every((finding) => finding.ok);
    const recoverable = findings.every((finding) => finding.ok || finding.remedy !== undefined);
    return { diagnosis: { findings, healthy, recoverable }, ...more };
  };
  const key = await attempt(openMasterKey({ vfs, directory, masterKeyFile, mayCreate: false }));
  if (key instanceof Fault) {
    findings.push({ file: masterKeyName, ok: false, detail: key.detail });
    return conclude();
  }
  findings.push({ file: masterKeyName, ok: true, detail: `key ${key.id}` });

  const path = join(directory, stateName);
  const strict = await attempt(readState({ vfs, path, key }));
  const state = strict instanceof Fault ? await attempt(readState({ vfs, path, key, acceptEdited: true })) : strict;
  if (state === undefined || state instanceof Fault) {
    findings.push({ file: stateName, ok: false, detail: state === undefined ? "it is missing" : state.detail });
    return conclude({ key });
  }
  const records = await attempt(Promise.try(() => readRecords(kinds, state)));
  if (records instanceof Fault) {
    findings.push({ file: stateName, ok: false, detail: records.detail });
    return conclude({ key, unreadable: records });
  }
  findings.push(
    strict instanceof Fault
      ? remedied(
          stateName,
          strict.detail,
          "accept-state",
          `its ${state.records.length} records are taken as they stand`,
        )
      : { file: stateName, ok: true, detail: `${state.records.length} records at position ${state.head.position}` },
  );
  const { reading, finding, base, unreadable, pruned } = await examineLog(
    { directory, seal: openLogSeal(key), kinds },
    state,
  );
  const kept = records.find(({ key: { text } }) => text === auditFloorKey.text)?.value as Head | undefined;
  const floor = pruned ?? kept ?? genesis;
  findings.push(finding, await examineArchive(directory, { base, floor }, reading));
  if (unreadable !== undefined) return conclude({ key, unreadable });
  return conclude({
    key,
    state: { format: state.format, head: state.head, records },
    floor,
    ...(reading === undefined ? {} : { reading }),
  });
}

async function examineLog(
  { directory, seal, kinds }: { readonly directory: string; readonly seal: LogSeal; readonly kinds: Kinds },
  { head: checkpoint, format }: ReadState,
): Promise<{ reading?: LogReading; finding: Finding; base: Head; unreadable?: Fault; pruned?: Head }> {
  const newLog = (detail: string) => ({
    finding: remedied(
      logName,
      detail,
      "new-log",
      `a new log begins behind position ${checkpoint.position}; what the old one held beyond is lost`,
    ),
    base: checkpoint,
  });
  const file = await attempt(openLogFile(vfs, directory, "read"));
  if (file instanceof Fault) return newLog(file.detail);
  let atCheckpoint: string | undefined;
  let unreadable: Fault | undefined;
  let pruned: Head | undefined;
  const reading = await attempt(
    readLog({
      file,
      path: join(directory, logName),
      seal,
      tolerate: true,
      onGroup: (group) => {
        if (group.first + group.count - 1 === checkpoint.position) atCheckpoint = group.link;
        if (group.first <= checkpoint.position) return;
        try {
          requireSeal(group, format > 1);
          for (const { key, value } of readCommits(kinds, group).flat()) {
            if (key.text === auditFloorKey.text) pruned = value as unknown as Head;
          }
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          unreadable ??= error;
        }
      },
    }),
  );
  await file.close();
  if (reading instanceof Fault) return newLog(reading.detail);
  const { base, head } = reading;
  if (base.position === checkpoint.position) atCheckpoint = base.link;
  if (base.position > checkpoint.position) {
    const detail = `it begins behind position ${base.position}, but ${stateName} stands at ${checkpoint.position}`;
    return { reading, finding: { file: logName, ok: false, detail }, base };
  }
  if (atCheckpoint !== checkpoint.link)
    return newLog(`it does not pass through position ${checkpoint.position} of ${stateName}`);
  if (reading.damage !== undefined) {
    const effect = `the log is cut behind position ${head.position}; ${reading.cut?.bytes ?? 0} bytes are lost`;
    return { reading, finding: remedied(logName, (reading.damage as Fault).detail, "cut-log", effect), base };
  }
  if (unreadable !== undefined) {
    return { reading, finding: { file: logName, ok: false, detail: unreadable.detail }, base, unreadable };
  }
  const end = reading.cut === undefined ? "" : `, then ${reading.cut.bytes} bytes that were never acknowledged`;
  return {
    reading,
    finding: { file: logName, ok: true, detail: `${held(base, head)}${end}` },
    base,
    ...(pruned !== undefined && { pruned }),
  };
}

function held(base: Head, head: Head): string {
  return head.position === base.position
    ? `empty, behind position ${base.position}`
    : `positions ${base.position + 1} to ${head.position}`;
}

async function examineArchive(
  directory: string,
  { base, floor }: { readonly base: Head; readonly floor: Head },
  reading: LogReading | undefined,
): Promise<Finding> {
  const newArchive = (detail: string) =>
    remedied(
      archiveName,
      detail,
      "new-archive",
      `a new archive begins behind position ${base.position}; older audit records stay in the file that is kept aside`,
    );
  if (!(await vfs.list(directory)).includes(archiveName)) return newArchive("it is missing");
  const index = await attempt(openSqliteIndex({ path: join(directory, archiveName) }));
  if (index instanceof Fault) return newArchive(index.detail);
  const archived = await attempt(index.archived());
  const { broken } = await verifyArchive(index, floor);
  const flaw = broken ?? (await findArchiveFlaw(index, floor));
  await index.close();
  if (archived instanceof Fault) return newArchive(archived.detail);
  if (broken !== undefined) return newArchive(describeFlaw(broken));
  const fits = archived.position === base.position && archived.link === base.link;
  // A rotation that was cut short leaves the archive ahead of the log's beginning; the next start sorts that out.
  const ahead =
    reading !== undefined && archived.position > base.position && archived.position <= reading.head.position;
  if (!fits && !ahead) {
    return newArchive(`the archive ends at position ${archived.position}, but the log begins behind ${base.position}`);
  }
  return flaw === undefined
    ? { file: archiveName, ok: true, detail: `archived up to position ${archived.position}` }
    : remedied(archiveName, describeFlaw(flaw), "rebuild-archive", "it is made anew from its entries; nothing is lost");
}

function remedied(file: string, detail: string, name: RemedyName, effect: string): Finding {
  return { file, ok: false, detail, remedy: { name, effect } };
}

async function attempt<T>(work: Promise<T>): Promise<T | Fault> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { auditFloorKey } from "@gatehouse/contract/records";
import { nodeVfs } from "@gatehouse/files";
import type { AuditIndex } from "./audit-index/audit-index.ts";
import { openSqliteIndex } from "./audit-index/sqlite-index.ts";
import { getState, openLogFile, readFiles } from "./boot.ts";
import { archiveName, findArchiveFlaw, verifyArchive } from "./check-archive.ts";
import { lockDirectory } from "./lock.ts";
import { type Kinds, productKinds } from "./kinds.ts";
import { genesis } from "./log-format.ts";
import { logName, readLog } from "./log-reader.ts";
import { type LogSeal, openLogSeal } from "./log-seal.ts";
import { openMasterKey } from "./master-key.ts";
import type { Head, VerifyReport } from "./port.ts";
import { isSigned, type WitnessedHead } from "./witness.ts";

export interface VerifyDirectoryOptions {
  readonly directory: string;
  /** For tests: other kinds of records than the contract's table has. */
  readonly kinds?: Kinds | undefined;
  readonly masterKeyFile?: string | undefined;
  /** What somebody else saw of this chain: finds an end that was cut off. */
  readonly witness?: WitnessedHead | undefined;
}

export interface DirectoryReport extends VerifyReport {
  /** Bytes at the end of the log that were never acknowledged; the next start cuts them off. */
  readonly unfinishedBytes: number;
  readonly witnessed?: Head;
}

/** Verifies a data directory offline, from its files alone, and changes none of them. */
export async function verifyDataDirectory(options: VerifyDirectoryOptions): Promise<DirectoryReport> {
  const { directory } = options;
  const vfs = nodeVfs;
  const lock = lockDirectory(directory);
  let index: AuditIndex | undefined;
  try {
    const key = await openMasterKey({ vfs, directory, masterKeyFile: options.masterKeyFile, mayCreate: false });
    const seal = openLogSeal(key);
    const checkpoint = await getState({ vfs, directory, key });
    // Asked first, because opening would make an empty one.
    const present = await vfs.list(directory);
    if (!present.includes("logs.db")) throw fault("store.files_of_different_moments", "logs.db is missing");
    index = await openSqliteIndex({ path: join(directory, "logs.db") });
    const archive = index;
    const file = await openLogFile(vfs, directory, "read");
    try {
      const files = await readFiles({ directory, kinds: options.kinds ?? productKinds, seal, checkpoint, file, index });
      const floor = files.state.table.get(auditFloorKey)?.value ?? genesis;
      const unfinishedBytes = files.cut?.bytes ?? 0;
      const archived = await verifyArchive(archive, floor);
      if (!archived.ok) return { ...archived, head: files.head, unfinishedBytes };
      const records = files.head.position - floor.position;
      const flaw = await findArchiveFlaw(archive, floor);
      if (flaw !== undefined) {
        const broken = { file: archiveName, ...flaw };
        return { ok: false, floor, head: files.head, records, unfinishedBytes, broken };
      }
      const report: DirectoryReport = { ok: true, floor, head: files.head, records, unfinishedBytes };
      return options.witness === undefined
        ? report
        : await holdAgainst(options.witness, report, {
            archive,
            linkInLog: (position) => linkInLog(directory, position, seal),
          });
    } finally {
      await file.close();
    }
  } finally {
    await index?.close();
    lock.release();
  }
}

/** Every link the witness can speak of must be the one the chain has there. */
async function holdAgainst(
  witness: WitnessedHead,
  report: DirectoryReport,
  chain: { archive: AuditIndex; linkInLog: (position: number) => Promise<string | undefined> },
): Promise<DirectoryReport> {
  if (!isSigned(witness)) throw fault("store.malformed", "the witness file's signature does not fit its contents");
  const { position, link } = witness;
  const witnessed = { position, link };
  const broken = (expected: string, found: string): DirectoryReport => ({
    ...report,
    ok: false,
    witnessed,
    broken: { file: logName, position, expected, found },
  });
  if (position > report.head.position) {
    return broken(
      `a chain that reaches position ${position}`,
      `an end at ${report.head.position}: its end was cut off`,
    );
  }
  if (position <= report.floor.position && position !== report.floor.position) return { ...report, witnessed };
  const found = position === report.floor.position ? report.floor.link : await linkAt(position, chain);
  if (found !== link)
    return broken(`link ${link} at position ${position}`, found === undefined ? "none" : `link ${found}`);
  return { ...report, witnessed };
}

async function linkAt(
  position: number,
  chain: { archive: AuditIndex; linkInLog: (position: number) => Promise<string | undefined> },
): Promise<string | undefined> {
  const archived = await chain.archive.archived();
  if (archived.position === position) return archived.link;
  if (position > archived.position) return chain.linkInLog(position);
  for (let after = 0; ; ) {
    const page = await chain.archive.groups(after, 1_000);
    if (page.length === 0) return undefined;
    for (const group of page) {
      after = group.first + group.entries.length - 1;
      if (after === position) return group.link;
      if (after > position) return undefined;
    }
  }
}

async function linkInLog(directory: string, position: number, seal: LogSeal): Promise<string | undefined> {
  const file = await openLogFile(nodeVfs, directory, "read");
  let found: string | undefined;
  try {
    await readLog({
      file,
      path: directory,
      seal,
      onGroup: (group) => {
        if (group.first + group.count - 1 === position) found = group.link;
      },
    });
  } finally {
    await file.close();
  }
  return found;
}

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
  /** What somebody else saw of this chain: finds an end that was cut off. Of heads alone the signatures have been checked. */
  readonly witness?: WitnessedHead | readonly Head[] | undefined;
}

export interface DirectoryReport extends VerifyReport {
  /** Bytes at the end of the log that were never acknowledged; the next start cuts them off. */
  readonly unfinishedBytes: number;
  /** The newest that somebody else saw; with something broken, what does not fit. */
  readonly witnessed?: Head;
  /** So many of theirs are older than the log goes back. */
  readonly pruned?: number;
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
        : await holdAgainst(headsOf(options.witness), report, {
            archive,
            linksInLog: (positions) => linksInLog(directory, positions, seal),
          });
    } finally {
      await file.close();
    }
  } finally {
    await index?.close();
    lock.release();
  }
}

/** Every link that somebody else can speak of must be the one the chain has there; the first that is not is named. */
async function holdAgainst(
  heads: readonly Head[],
  report: DirectoryReport,
  { archive, linksInLog }: { archive: AuditIndex; linksInLog: (positions: ReadonlySet<number>) => Promise<Links> },
): Promise<DirectoryReport> {
  const { floor, head } = report;
  const sorted = heads.toSorted((one, other) => one.position - other.position);
  const pruned = sorted.filter(({ position }) => position < floor.position).length;
  const judged = sorted.slice(pruned);
  const archived = await archive.archived();
  const inLog = await linksInLog(
    new Set(judged.flatMap(({ position }) => (position > archived.position ? position : []))),
  );
  const linkAt = async (position: number) => {
    if (position === floor.position) return floor.link;
    return position > archived.position ? inLog.get(position) : archive.linkAt(position);
  };
  for (const { position, link } of judged) {
    const broken = (expected: string, found: string): DirectoryReport => ({
      ...report,
      ok: false,
      witnessed: { position, link },
      pruned,
      broken: { file: logName, position, expected, found },
    });
    if (position > head.position) {
      return broken(`a chain that reaches position ${position}`, `an end at ${head.position}: its end was cut off`);
    }
    const found = await linkAt(position);
    if (found !== link)
      return broken(`link ${link} at position ${position}`, found === undefined ? "none" : `link ${found}`);
  }
  const last = sorted.at(-1);
  return { ...report, pruned, ...(last !== undefined && { witnessed: { position: last.position, link: last.link } }) };
}

function headsOf(witness: WitnessedHead | readonly Head[]): readonly Head[] {
  if (!("signature" in witness)) return witness;
  if (!isSigned(witness)) throw fault("store.malformed", "the witness file's signature does not fit its contents");
  return [witness];
}

type Links = ReadonlyMap<number, string>;

async function linksInLog(directory: string, positions: ReadonlySet<number>, seal: LogSeal): Promise<Links> {
  const links = new Map<number, string>();
  if (positions.size === 0) return links;
  const file = await openLogFile(nodeVfs, directory, "read");
  try {
    await readLog({
      file,
      path: directory,
      seal,
      onGroup: ({ first, count, link }) => {
        if (positions.has(first + count - 1)) links.set(first + count - 1, link);
      },
    });
  } finally {
    await file.close();
  }
  return links;
}

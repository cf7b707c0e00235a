import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { auditFloorKey } from "@gatehouse/contract/records";
import { isAbsent, type Vfs, type VfsFile } from "@gatehouse/files";
import type { AuditIndex } from "./audit-index/audit-index.ts";
import { archiveDamaged, archiveName, findFloorFlaw, findQuickFlaw } from "./check-archive.ts";
import { isChange, type WrittenChange } from "./judge.ts";
import { type Kinds, readKey, readValue } from "./kinds.ts";
import { encodeHeader, genesis } from "./log-format.ts";
import { type LogReading, logName, type ReadGroup, readLog } from "./log-reader.ts";
import { type LogSeal, openLogSeal } from "./log-seal.ts";
import { createLog, LogWriter } from "./log-writer.ts";
import { type MasterKey, openMasterKey } from "./master-key.ts";
import type { Broken, Change, Head, Version } from "./port.ts";
import type { TableRecord } from "./record-table.ts";
import { type ReadState, readState, stateName, writeState } from "./state-file.ts";
import { VisibleState } from "./visible-state.ts";

export interface BootDeps {
  readonly vfs: Vfs;
  readonly directory: string;
  readonly kinds: Kinds;
  readonly masterKeyFile?: string | undefined;
  readonly openIndex: () => Promise<AuditIndex>;
  /** Makes the archive anew from its entries. */
  readonly rebuildArchive: () => { readonly kept: string };
}

export interface Booted extends FilesRead {
  readonly key: MasterKey;
  readonly seal: LogSeal;
  readonly index: AuditIndex;
  readonly log: LogWriter;
  /** Why the archive was made anew from its entries, and where the one before is kept. */
  readonly rebuilt?: Broken & { readonly kept: string };
}

/** Opens the four files, making them at a first boot, and cuts off what a power cut left at the end of the log. */
export async function boot(deps: BootDeps): Promise<Booted> {
  const { vfs, directory } = deps;
  const present = new Set(await vfs.list(directory));
  const isNew = !present.has(stateName);
  if (isNew) await refuseOrphans(deps, present);
  const key = await openMasterKey({ vfs, directory, masterKeyFile: deps.masterKeyFile, mayCreate: isNew });
  if (isNew) {
    // The log first: from then on a state.json without a log is a lost log, never a new beginning.
    if (!present.has(logName)) await createLog(vfs, directory, genesis);
    await writeState({ vfs, path: join(directory, stateName), key, head: genesis, records: [] });
  }
  const checkpoint = await getState({ vfs, directory, key });
  const file = await openLogFile(vfs, directory, "write");
  let index: AuditIndex | undefined;
  try {
    const archive = await openArchive(deps);
    index = archive.index;
    const seal = openLogSeal(key);
    const files = await readFiles({ directory, kinds: deps.kinds, seal, checkpoint, file, index });
    await forget(index, files.state.table.get(auditFloorKey)?.value ?? genesis);
    if (files.cut !== undefined) await file.truncate(files.reading.end);
    // A process that was killed may have left bytes and names that nobody synced. Readers will see them, so they must last.
    await file.sync();
    await vfs.syncDirectory(directory);
    return { ...files, ...archive, key, seal, log: new LogWriter({ vfs, directory }, file, files.reading) };
  } catch (error) {
    await file.close().catch(() => undefined);
    await index?.close().catch(() => undefined);
    throw error;
  }
}

/** An archive that SQLite cannot walk, or that holds what we never put there, is made anew from its entries; or refused. */
async function openArchive(deps: BootDeps): Promise<Pick<Booted, "index" | "rebuilt">> {
  const index = await deps.openIndex();
  const flaw = await findQuickFlaw(index);
  if (flaw === undefined) return { index };
  await index.close();
  const { kept } = deps.rebuildArchive();
  const again = await deps.openIndex();
  const still = await findQuickFlaw(again);
  if (still === undefined) return { index: again, rebuilt: { file: archiveName, ...flaw, kept } };
  await again.close();
  throw archiveDamaged(still);
}

/** What the log says is forgotten is gone before anybody can read it: nothing vouches for what stands there. */
async function forget(index: AuditIndex, floor: Head): Promise<void> {
  const flaw = await findFloorFlaw(index, floor);
  if (flaw !== undefined) throw archiveDamaged(flaw);
  await index.prune(floor.position);
}

export interface FilesRead {
  readonly state: VisibleState;
  readonly head: Head;
  readonly checkpoint: { readonly position: number; readonly size: number };
  readonly reading: LogReading;
  /** Offset in the log behind the last archived group. */
  readonly archivedEnd: number;
  readonly cut?: { readonly bytes: number; readonly sha256: string };
}

/** Replays the log onto the checkpoint and refuses files that do not belong together. Changes nothing on disk. */
export async function readFiles(deps: {
  directory: string;
  kinds: Kinds;
  seal: Pick<LogSeal, "fits">;
  checkpoint: ReadState;
  file: VfsFile;
  index: AuditIndex;
}): Promise<FilesRead> {
  const path = join(deps.directory, logName);
  const state = new VisibleState();
  for (const record of readRecords(deps.kinds, deps.checkpoint)) state.table.put(record);
  const replay = new Replay(state, {
    kinds: deps.kinds,
    checkpoint: deps.checkpoint.head,
    mustBeSealed: deps.checkpoint.format > 1,
    archived: await deps.index.archived(),
  });
  const reading = await readLog({ file: deps.file, path, seal: deps.seal, onGroup: replay.take });
  replay.finish(reading, path);
  return {
    state,
    head: reading.head,
    checkpoint: { position: deps.checkpoint.head.position, size: deps.checkpoint.size },
    reading,
    archivedEnd: replay.archivedEnd,
    ...(reading.cut === undefined ? {} : { cut: reading.cut }),
  };
}

export function readRecords(kinds: Kinds, { records }: ReadState): TableRecord[] {
  return records.map(({ key: text, form = 1, version, value }) => {
    const key = readKey(kinds, text);
    return { key, version, value: readValue(key, form, value) };
  });
}

export async function getState(deps: { vfs: Vfs; directory: string; key: MasterKey }): Promise<ReadState> {
  const path = join(deps.directory, stateName);
  const found = await readState({ vfs: deps.vfs, path, key: deps.key });
  if (found === undefined) throw differ(`${path} is missing`);
  return found;
}

interface ReplayDeps {
  readonly kinds: Kinds;
  readonly checkpoint: Head;
  readonly mustBeSealed: boolean;
  readonly archived: Head;
}

/** Applies groups behind the checkpoint and checks that the log passes through the checkpoint's and the archive's links. */
class Replay {
  archivedEnd = 0;
  readonly take: (group: ReadGroup) => void;
  readonly #state: VisibleState;
  readonly #kinds: Kinds;
  readonly #mustBeSealed: boolean;
  readonly #checkpoint: Head;
  readonly #archived: Head;
  #begun = false;
  #sawCheckpoint = false;
  #sawArchived = false;

  constructor(state: VisibleState, { kinds, checkpoint, mustBeSealed, archived }: ReplayDeps) {
    this.#state = state;
    this.#kinds = kinds;
    this.#mustBeSealed = mustBeSealed;
    this.#checkpoint = checkpoint;
    this.#archived = archived;
    this.take = (group) => this.#take(group);
  }

  #take(group: ReadGroup): void {
    const last = group.first + group.count - 1;
    if (!this.#begun) this.#beginBehind(group.first - 1);
    if (last === this.#archived.position) {
      sameLink("logs.db", this.#archived, group.link);
      this.#sawArchived = true;
      this.archivedEnd = group.end;
    }
    if (last === this.#checkpoint.position) {
      sameLink(stateName, this.#checkpoint, group.link);
      this.#sawCheckpoint = true;
    }
    if (last <= this.#checkpoint.position) return;
    if (group.first <= this.#checkpoint.position) {
      throw differ(`${stateName} stands at ${this.#checkpoint.position}, inside the group ${group.first} to ${last}`);
    }
    requireSeal(group, this.#mustBeSealed);
    this.#apply(group);
  }

  #apply(group: ReadGroup): void {
    for (const [offset, changes] of readCommits(this.#kinds, group).entries()) {
      const position = group.first + offset;
      for (const change of changes) {
        const found = this.#state.table.versionOf(change.key);
        if (change.was !== found || (change.value === null && found === 0)) {
          throw broken(position, `a change of ${change.key.text} version ${found}`, `one of version ${change.was}`);
        }
        this.#state.table.apply(change, change.version ?? position);
      }
    }
  }

  /** Before anything is replayed: onto an older state nothing fits, and the log would be blamed for it. */
  #beginBehind(base: number): void {
    this.#begun = true;
    const { position } = this.#checkpoint;
    if (base <= position) return;
    throw differ(`${logName} begins behind position ${base}, but ${stateName} stands at ${position}`);
  }

  finish({ base, head }: LogReading, path: string): void {
    const { position } = this.#checkpoint;
    this.#beginBehind(base.position);
    if (base.position === position) sameLink(stateName, this.#checkpoint, base.link);
    else if (!this.#sawCheckpoint)
      throw differ(`${stateName} stands at ${position}, but ${path} ends at ${head.position}`);
    // The archive ends where the log begins; or, when a rotation was cut short, at the checkpoint it was made for.
    if (base.position === this.#archived.position) sameLink("logs.db", this.#archived, base.link);
    else if (!this.#sawArchived || this.#archived.position > position) {
      throw differ(
        `the archive in logs.db ends at ${this.#archived.position}, but ${path} begins behind ${base.position}`,
      );
    }
  }
}

/** Only a state of an earlier version can have groups without a seal behind it: anybody could write a log of that format. */
export function requireSeal({ first, seal }: ReadGroup, mustBeSealed: boolean): void {
  if (!mustBeSealed || seal !== undefined) return;
  throw broken(first, "a group sealed with this master key", "one of an earlier version");
}

/** The changes of a group. Links only prove that nothing was altered since they were made, not by whom: the form is checked too. */
export function readCommits(kinds: Kinds, group: ReadGroup): readonly (readonly ReplayedChange[])[] {
  let read: unknown;
  try {
    read = JSON.parse(group.changes.toString("utf8"));
  } catch {
    throw broken(group.first, "changes in JSON", "something else");
  }
  if (!Array.isArray(read) || read.length !== group.count) {
    throw broken(group.first, `the changes of ${group.count} commits`, "something else");
  }
  for (const [offset, changes] of read.entries()) {
    if (!Array.isArray(changes) || !changes.every(isChange)) {
      throw broken(group.first + offset, "a list of changes", "something else");
    }
  }
  return (read as WrittenChange[][]).map((changes) => changes.map((written) => readChange(kinds, written)));
}

/** A change of a log of format 1 gave its record a version of its own; since then it is the commit's position. */
interface ReplayedChange extends Change {
  readonly version?: Version;
}

function readChange(kinds: Kinds, written: WrittenChange): ReplayedChange {
  const { was = 0, newVersion, form = 1 } = written;
  const key = readKey(kinds, written.key);
  const value = written.value === null ? null : readValue(key, form, written.value);
  return newVersion === undefined ? { key, was, value } : { key, was: newVersion - 1, version: newVersion, value };
}

function sameLink(name: string, known: Head, found: string): void {
  if (known.link !== found)
    throw differ(`position ${known.position}: ${name} has link ${known.link}, the log has ${found}`);
}

function differ(detail: string): Error {
  return fault("store.files_of_different_moments", detail);
}

function broken(position: number, expected: string, found: string): Error {
  const detail = `${logName}: position ${position}: expected ${expected}, found ${found}`;
  return fault("store.log_damaged", detail, { fields: { position, expected, found } });
}

export async function openLogFile(vfs: Vfs, directory: string, mode: "read" | "write"): Promise<VfsFile> {
  const path = join(directory, logName);
  try {
    return await vfs.open(path, mode);
  } catch (error) {
    if (isAbsent(error)) throw differ(`${path} is missing beside a ${stateName} that is not new`);
    throw error;
  }
}

/** Without a state.json the directory must be new: a log without groups (a first boot cut short) and no archive. */
async function refuseOrphans(deps: BootDeps, present: ReadonlySet<string>): Promise<void> {
  if (present.has(logName)) {
    const file = await openLogFile(deps.vfs, deps.directory, "read");
    const size = await file.size();
    await file.close();
    if (size !== encodeHeader(genesis).length) throw differ(`${logName} holds records, but ${stateName} is missing`);
  }
  if (!present.has("logs.db")) return;
  const index = await deps.openIndex();
  const archived = await index.archived();
  await index.close();
  if (archived.position > 0) {
    throw differ(`logs.db holds ${archived.position} audit records, but ${stateName} is missing`);
  }
}

import { fault } from "@gatehouse/contract/faults";
import { createAnew, makeDirectoryDurably, syncOrEnd } from "@gatehouse/files";
import { isSameBytes } from "@gatehouse/keys/frame";
import {
  fileOf,
  findFileBytes,
  type JournalPlace,
  type JournalPosition,
  listJournalFiles,
  readOn,
} from "./journal-files.ts";
import { encodeRecord, findHead, firstLink, headLength, type LinkedRecord, writeHead } from "./journal-format.ts";
import type { WithLock } from "./journal-lock.ts";
import { findMark, type JournalMark, putMark } from "./journal-mark.ts";
import { type JournalNote, mostNotes, noteOf } from "./journal-note.ts";
import type { JournalDataOf, JournalKind, JournalRecord } from "./journal-record.ts";
import { findMoveFlaw, type JournalSlot, takeRecord } from "./journal-slot.ts";

export interface JournalDeps extends JournalPlace {
  readonly withLock: WithLock;
  readonly now: () => number;
  readonly uptimeMs: () => number;
  readonly boot: string;
  readonly limits?: { readonly fileBytes: number; readonly keptBytes: number };
}

/** What a host has done and is doing about changes, durable before it acts. */
export interface Journal {
  /** The change that is open now, whoever wrote last. */
  look(): Promise<JournalSlot | undefined>;
  /**
   * Writes one step. Throws `journal.move` for a step that may not come now, and `journal.write` when nobody knows whether it is
   * on the disk: from then on this journal takes nothing more, and the process has to end.
   */
  append<Kind extends JournalKind>(
    task: string,
    kind: Kind,
    data: JournalDataOf<Kind>,
  ): Promise<JournalSlot | undefined>;
  /** All records after a number, in order, without what makes them large. Reads all that is kept. */
  read(after: number): Promise<readonly JournalNote[]>;
  /** Calls for each change after a number that was confirmed and ended so, in order. Reads all that is kept. */
  applied(after: number, take: (change: AppliedChange) => void): Promise<void>;
  /** The newest records after a number, without what makes them large; whoever asks often costs no reading. */
  recent(after: number): Promise<readonly JournalNote[]>;
}

/** A change that holds, as it was accepted. */
export interface AppliedChange {
  readonly task: string;
  /** Of its end: the number, and the host's time. */
  readonly seq: number;
  readonly at: number;
  readonly accepted: JournalDataOf<"accepted">;
}

const usualLimits = { fileBytes: 8 * 1024 * 1024, keptBytes: 64 * 1024 * 1024 };

/** Reads all of it once. Throws `journal.unsound` when what is there is not what was written. */
export async function openJournal(deps: JournalDeps): Promise<Journal> {
  const journal = new OpenJournal(deps);
  await journal.look();
  return journal;
}

/** Records before it were read. */
type KnownPosition = JournalPosition & { readonly seq: number };

class OpenJournal implements Journal {
  readonly #deps: JournalDeps;
  readonly #limits: { readonly fileBytes: number; readonly keptBytes: number };
  #position: KnownPosition | undefined;
  #slot: JournalSlot | undefined;
  /** The file that the open change began in: it is not removed before the change has ended. */
  #slotFile = 0;
  /** Of the newest records, in order. */
  readonly #notes: JournalNote[] = [];
  /** Behind the position stands what a power cut left of a write that nobody acted upon. */
  #hasRest = false;
  #isBroken = false;

  constructor(deps: JournalDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? usualLimits;
  }

  look(): Promise<JournalSlot | undefined> {
    return this.#deps.withLock(async () => {
      await this.#catchUp();
      return this.#slot;
    });
  }

  append<Kind extends JournalKind>(
    task: string,
    kind: Kind,
    data: JournalDataOf<Kind>,
  ): Promise<JournalSlot | undefined> {
    return this.#deps.withLock(async () => {
      if (this.#isBroken) throw fault("journal.write", "an earlier write failed: only a new start can look");
      const position = await this.#catchUp();
      const { now, uptimeMs, boot } = this.#deps;
      const at = { at: now(), boot, uptimeMs: uptimeMs() };
      const record = { v: 1, seq: position.seq + 1, ...at, task, kind, data } as unknown as JournalRecord;
      const flaw = findMoveFlaw(this.#slot, record);
      if (flaw !== undefined) throw fault("journal.move", flaw);
      await this.#write(position, record);
      return this.#slot;
    });
  }

  read(after: number): Promise<readonly JournalNote[]> {
    return this.#deps.withLock(async () => {
      const notes: JournalNote[] = [];
      await readOn(this.#deps, await this.#begin(), (record) => void notes.push(noteOf(record)));
      return notes.filter(({ seq }) => seq > after);
    });
  }

  applied(after: number, take: (change: AppliedChange) => void): Promise<void> {
    return this.#deps.withLock(async () => {
      let begun: Extract<JournalRecord, { kind: "accepted" }> | undefined;
      const look = (record: JournalRecord) => {
        if (record.kind === "accepted") begun = record;
        if (record.kind !== "ended" || record.data.outcome !== "applied" || record.seq <= after) return;
        // The oldest file may begin within a change: what that one made is not known any more.
        if (begun?.task !== record.task) return;
        take({ task: record.task, seq: record.seq, at: record.at, accepted: begun.data });
      };
      await readOn(this.#deps, await this.#begin(), look);
    });
  }

  recent(after: number): Promise<readonly JournalNote[]> {
    return this.#deps.withLock(async () => {
      await this.#catchUp();
      return this.#notes.filter(({ seq }) => seq > after);
    });
  }

  /** Reads what another process has written since, and judges all that is new. */
  async #catchUp(): Promise<KnownPosition> {
    const from = this.#position ?? (await this.#begin());
    const mark = await findMark(this.#deps);
    // The oldest file may begin within a change that has long ended.
    let isBegun = from.seq !== undefined;
    const judge = (record: LinkedRecord, file: number) => {
      isBegun ||= record.kind === "accepted";
      // A reading that failed on its way has taken some already.
      if (!isBegun || record.seq <= (this.#notes.at(-1)?.seq ?? 0)) return;
      const flaw = findMoveFlaw(this.#slot, record);
      if (flaw !== undefined) throw fault("journal.unsound", `record ${record.seq}: ${flaw}`);
      this.#take(record, file);
    };
    const { position, rest } = await readOn(this.#deps, from, judge);
    const { seq, link } = position;
    if (seq === undefined || isBehind(mark, { seq, link })) {
      const where = rest === undefined ? "its end is missing" : `${fileOf(this.#deps, rest.file)} ${rest.what}`;
      throw fault("journal.unsound", `expected another end than record ${String(seq)}: ${where}`);
    }
    this.#hasRest = rest !== undefined;
    this.#position = { ...position, seq };
    return this.#position;
  }

  /** The first position of the oldest file; makes the first file where there is none. */
  async #begin(): Promise<JournalPosition> {
    const { vfs, directory } = this.#deps;
    await makeDirectoryDurably(vfs, directory);
    const [oldest] = await listJournalFiles(this.#deps);
    const bytes = oldest === undefined ? undefined : await findFileBytes(this.#deps, oldest);
    const head = bytes === undefined ? undefined : findHead(bytes);
    if (oldest !== undefined && head !== undefined) {
      const isFirst = isSameBytes(head, firstLink);
      return { file: oldest, end: headLength, link: head, seq: isFirst ? 0 : undefined };
    }
    // A first file that was never finished; or one that was, and is damaged.
    if ((await findMark(this.#deps)) !== undefined) {
      throw fault("journal.unsound", `${directory} has no file that begins as a journal does`);
    }
    await this.#tryWrite(async () => {
      await this.#newFile(1, firstLink);
      await putMark(this.#deps, markOf({ seq: 0, link: firstLink }));
    });
    return { file: 1, end: headLength, link: firstLink, seq: 0 };
  }

  async #write(from: JournalPosition, record: JournalRecord): Promise<void> {
    const { bytes, link } = encodeRecord(from.link, record);
    const isFull = from.end > this.#limits.fileBytes;
    const at = isFull ? { file: from.file + 1, end: headLength } : from;
    await this.#tryWrite(async () => {
      if (this.#hasRest) await this.#cut(from);
      if (isFull) await this.#newFile(at.file, from.link);
      const file = await this.#deps.vfs.open(fileOf(this.#deps, at.file), "write");
      try {
        await file.write(bytes, at.end);
        await syncOrEnd(file);
      } finally {
        await file.close();
      }
      await putMark(this.#deps, markOf({ seq: record.seq, link }));
      this.#position = { file: at.file, end: at.end + bytes.byteLength, link, seq: record.seq };
      this.#take({ ...record, link }, at.file);
      if (isFull) await this.#removeOld(at.file);
    });
  }

  /** What a power cut has left of a write. */
  async #cut({ file: number, end }: JournalPosition): Promise<void> {
    const { vfs } = this.#deps;
    const file = await vfs.open(fileOf(this.#deps, number), "write");
    try {
      await file.truncate(end);
      await syncOrEnd(file);
    } finally {
      await file.close();
    }
    const later = (await listJournalFiles(this.#deps)).filter((other) => other > number);
    for (const other of later) await vfs.remove(fileOf(this.#deps, other));
    await vfs.syncDirectory(this.#deps.directory);
    this.#hasRest = false;
  }

  async #newFile(number: number, previous: Uint8Array): Promise<void> {
    const { vfs, directory } = this.#deps;
    const file = await createAnew(vfs, fileOf(this.#deps, number));
    try {
      await file.write(writeHead(previous), 0);
      await syncOrEnd(file);
    } finally {
      await file.close();
    }
    await vfs.syncDirectory(directory);
  }

  /** The oldest files go when there are too many bytes; never the one with the open change, nor the newest. */
  async #removeOld(newest: number): Promise<void> {
    const { vfs, directory } = this.#deps;
    const needed = this.#slot === undefined ? newest : Math.min(newest, this.#slotFile);
    const files = await listJournalFiles(this.#deps);
    let bytes = files.length * this.#limits.fileBytes;
    for (const number of files) {
      if (bytes <= this.#limits.keptBytes || number >= needed) break;
      await vfs.remove(fileOf(this.#deps, number));
      bytes -= this.#limits.fileBytes;
    }
    await vfs.syncDirectory(directory);
  }

  #take(record: LinkedRecord, file: number): void {
    this.#slot = takeRecord(this.#slot, record);
    this.#notes.push(noteOf(record));
    if (this.#notes.length > mostNotes) this.#notes.shift();
    if (record.kind === "accepted") this.#slotFile = file;
  }

  /** Whatever fails here leaves a disk of which nobody knows what it holds. */
  async #tryWrite(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      this.#isBroken = true;
      throw fault("journal.write", `${this.#deps.directory}: ${(cause as Error).message}`, { cause });
    }
  }
}

/** Whether less is there than somebody may have acted upon. Before the first record there need not be a mark. */
function isBehind(mark: JournalMark | undefined, end: { readonly seq: number; readonly link: Uint8Array }): boolean {
  if (mark === undefined) return end.seq > 0;
  return mark.seq > end.seq || (mark.seq === end.seq && mark.link !== end.link.toHex());
}

function markOf({ seq, link }: { readonly seq: number; readonly link: Uint8Array }): JournalMark {
  return { seq, link: link.toHex() };
}

import { join } from "node:path";
import { createAnew, syncOrEnd, UnknownOutcome, type Vfs, type VfsFile, writeDurably } from "@gatehouse/files";
import { readPieces } from "./lines.ts";
import { encodeHeader, encodeMark, logFormat } from "./log-format.ts";
import { logName } from "./log-reader.ts";
import type { Head } from "./port.ts";

/** Creates an empty log that follows `base`, whole or not at all. */
export function createLog(vfs: Vfs, directory: string, base: Head): Promise<void> {
  return writeDurably(vfs, join(directory, logName), encodeHeader(base));
}

/** Appends groups to the log and makes each durable. One write at a time: the caller queues. */
export class LogWriter {
  readonly #vfs: Vfs;
  readonly #directory: string;
  #file: VfsFile;
  /** Length of what is durable; the next group goes here. */
  #end: number;
  #head: Head;
  #base: Head;
  #marked: boolean;
  /** Whether an earlier version began it. */
  isOld: boolean;

  constructor(
    deps: { vfs: Vfs; directory: string },
    file: VfsFile,
    at: { format: number; base: Head; head: Head; end: number; marked: boolean },
  ) {
    this.#vfs = deps.vfs;
    this.#directory = deps.directory;
    this.#file = file;
    this.#end = at.end;
    this.#head = at.head;
    this.#base = at.base;
    this.isOld = at.format < logFormat;
    this.#marked = at.marked;
  }

  get end(): number {
    return this.#end;
  }

  get base(): Head {
    return this.#base;
  }

  get file(): VfsFile {
    return this.#file;
  }

  /** Writes a group behind a mark for the one before it, and syncs. When this resolves, the group is durable. */
  async append(bytes: Uint8Array, head: Head): Promise<void> {
    const all = this.#marked ? bytes : Buffer.concat([encodeMark(this.#head), bytes]);
    await this.#file.write(all, this.#end);
    await syncOrEnd(this.#file);
    this.#end += all.length;
    this.#head = head;
    this.#marked = false;
  }

  /** Vouches for the last group when no further one comes soon. Not synced: it only has to arrive some time. */
  async mark(): Promise<void> {
    if (this.#marked) return;
    const bytes = encodeMark(this.#head);
    await this.#file.write(bytes, this.#end);
    this.#end += bytes.length;
    this.#marked = true;
  }

  /** Forgets what a failed write left behind the durable end. */
  async rollback(): Promise<void> {
    await this.#file.truncate(this.#end);
    await syncOrEnd(this.#file);
  }

  /**
   * Replaces the log by one that begins at `base`, whose groups begin at offset `from`. `pause` holds back new groups only for
   * the last few bytes; the old log stays in force until the rename. `onMoved` hears where `from` now stands.
   */
  async rotate(
    base: Head,
    from: number,
    on: { pause: () => Promise<() => void>; onMoved: (to: number) => void },
  ): Promise<void> {
    const path = join(this.#directory, logName);
    const temporary = `${path}.tmp`;
    const file = await createAnew(this.#vfs, temporary);
    let resume: (() => void) | undefined;
    let renaming = false;
    try {
      const header = encodeHeader(base);
      await file.write(header, 0);
      let copied = await this.#copy(file, from, header.length);
      if (this.#end - copied > pauseBytes) copied = await this.#copy(file, copied, header.length + copied - from);
      resume = await on.pause();
      await this.#copy(file, copied, header.length + copied - from);
      await syncOrEnd(file);
      renaming = true;
      await this.#vfs.rename(temporary, path);
      await this.#vfs.syncDirectory(this.#directory);
      const old = this.#file;
      this.#file = file;
      this.#end = header.length + this.#end - from;
      this.#base = base;
      this.isOld = false;
      on.onMoved(header.length);
      await old.close();
    } catch (error) {
      // From the rename on nobody knows which of the two files is the log: only a new start can tell.
      if (renaming) throw new UnknownOutcome("the log was being replaced", { cause: error });
      await file.close().catch(() => undefined);
      await this.#vfs.remove(temporary).catch(() => undefined);
      throw error;
    } finally {
      resume?.();
    }
  }

  async #copy(to: VfsFile, from: number, at: number): Promise<number> {
    let offset = from;
    for await (const piece of readPieces(this.#file, from, this.#end)) {
      await to.write(piece, at + offset - from);
      offset += piece.length;
    }
    return offset;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

const pauseBytes = 1024 * 1024;

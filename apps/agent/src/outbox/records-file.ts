import { isFault } from "@gatehouse/contract/faults";
import { UnknownOutcome, type Vfs, type VfsFile } from "@gatehouse/files";
import { applyChange, between, bytesOf, type Contents, type Entry } from "./contents.ts";
import { loadOutbox, type OutboxPlaces, outboxPlaces } from "./load-outbox.ts";
import { encodeFrame, type OutRecord } from "./outbox-format.ts";
import { reserveNumbers } from "./reserved-numbers.ts";
import { readRecord, writeOutbox } from "./write-outbox.ts";

export interface RecordsFileDeps {
  readonly vfs: Vfs;
  readonly directory: string;
  readonly log: (line: string) => void;
  readonly mostBytes: number;
  /** Told when messages are lost and nobody knows which. */
  readonly onLost: (what: string) => void;
  /** Told of what went wrong and changes nothing. */
  readonly complain: (error: unknown) => void;
}

/** What one commit changes, all of it or nothing. */
export interface RecordsChange {
  readonly records?: readonly OutRecord[];
  readonly acked?: number;
  readonly mark?: string;
  readonly drop?: readonly Entry[];
}

/** Below this a file is not written anew for what is acknowledged in it. */
const worthwhileBytes = 64 * 1024;

/**
 * The file that holds the messages of an outbox: appended to, and written anew when little of it is needed or something about it is not known to
 * be durable. Whoever uses it does one thing after the other.
 */
export class RecordsFile {
  readonly #deps: RecordsFileDeps;
  readonly #places: OutboxPlaces;
  /** What the file holds; undefined until it could be read. */
  #contents: Contents | undefined;
  #generation = 0;
  /** Open for the next append; undefined when the file has to be written anew before anything is added to it. */
  #file: VfsFile | undefined;
  #end = 0;
  #reserved = 0;

  constructor(deps: RecordsFileDeps) {
    this.#deps = deps;
    this.#places = outboxPlaces(deps.directory);
  }

  get path(): string {
    return this.#places.records;
  }

  /** As far as it is known without the disk. */
  get contents(): Contents | undefined {
    return this.#contents;
  }

  /** The file as it can be used: read, and written anew when something about it is not known to be durable. */
  async mend(): Promise<Contents> {
    this.#contents ??= await this.#load();
    if (this.#file === undefined) await this.#writeAnew({});
    return this.#contents;
  }

  /** One message of a file that was mended. */
  async read(entry: Entry): Promise<OutRecord> {
    try {
      return await readRecord({ file: this.#file as VfsFile, generation: this.#generation }, entry);
    } catch (error) {
      if (isFault(error)) await this.#forget();
      throw error;
    }
  }

  /** On the disk when this resolves. */
  async commit(change: RecordsChange): Promise<void> {
    const contents = await this.mend();
    const { records = [], acked = contents.acked, mark, drop = [] } = change;
    const last = records.at(-1)?.seq ?? 0;
    if (last > this.#reserved) this.#reserved = await reserveNumbers(this.#deps.vfs, this.#places.reserved, last);
    const written = {
      ...(records.length === 0 ? {} : { records: [...records] }),
      ...(acked === contents.acked ? {} : { acked }),
      ...(mark === undefined ? {} : { mark }),
    };
    const frame = encodeFrame(this.#generation, written);
    const end = this.#end + frame.length;
    const needed = contents.waiting.bytes - bytesOf(between(contents.entries, contents.acked, acked));
    const isHalfEmpty = acked > contents.acked && end > worthwhileBytes && needed < end / 2;
    if (drop.length > 0 || end > this.#deps.mostBytes || isHalfEmpty) return this.#writeAnew(change);
    await this.#append(this.#file as VfsFile, frame);
    this.#contents = applyChange(contents, written, { at: this.#end, bytes: frame.length });
    this.#end = end;
  }

  /** It is opened again by its next use. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch((error: unknown) => this.#deps.complain(error));
  }

  async #append(file: VfsFile, frame: Buffer): Promise<void> {
    try {
      await file.write(frame, this.#end);
    } catch (error) {
      // Half of it may stand there; the next one begins at the same place.
      await file.truncate(this.#end).catch(() => this.close());
      throw error;
    }
    try {
      await file.sync();
    } catch (error) {
      // Nothing is known about these bytes any more, whatever a second sync would say.
      await this.close();
      throw error;
    }
  }

  async #writeAnew({ records = [], acked, mark, drop = [] }: RecordsChange): Promise<void> {
    const before = this.#contents as Contents;
    const state = {
      acked: acked ?? before.acked,
      last: before.last,
      dropped: before.dropped + drop.length,
      mark: mark ?? before.mark,
    };
    const isDropped = new Set(drop);
    const kept = between(before.entries, state.acked).filter((each) => !isDropped.has(each));
    const generation = this.#generation + 1;
    const { vfs } = this.#deps;
    const source = kept.length === 0 ? undefined : await vfs.open(this.path, "read");
    try {
      const from = source && { file: source, generation: this.#generation };
      const anew = { generation, state, kept, source: from, added: records };
      const written = await writeOutbox(vfs, this.path, anew);
      await this.close();
      this.#generation = generation;
      this.#contents = written.contents;
      this.#end = written.end;
      this.#file = await vfs.open(this.path, "write");
    } catch (error) {
      // Nobody knows which of the two files stands there, or the one that does is damaged: it is read again.
      if (error instanceof UnknownOutcome || isFault(error)) await this.#forget();
      throw error;
    } finally {
      await source?.close();
    }
  }

  async #load(): Promise<Contents> {
    const { contents, generation, reserved, lost } = await loadOutbox(this.#deps, this.#places);
    this.#generation = generation;
    this.#reserved = reserved;
    if (lost !== undefined) this.#deps.onLost(lost);
    return contents;
  }

  async #forget(): Promise<void> {
    await this.close();
    this.#contents = undefined;
  }
}

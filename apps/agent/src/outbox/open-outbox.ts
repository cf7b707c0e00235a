import type { Json } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract/faults";
import { UnknownOutcome, type Vfs, type VfsFile } from "@gatehouse/files";
import { applyChange, between, bytesOf, type Contents, type Entry, nothing, someAfter, weightOf } from "./contents.ts";
import { type Gap, gapEvent, noGap, withCount } from "./gap.ts";
import { loadOutbox, type OutboxPlaces, outboxPlaces } from "./load-outbox.ts";
import { makeRoom } from "./make-room.ts";
import type { Cursor, Outbox } from "./outbox.ts";
import { encodeFrame, mostBodyBytes, type OutKind, type OutRecord } from "./outbox-format.ts";
import { reserveNumbers } from "./reserved-numbers.ts";
import { readRecord, writeOutbox } from "./write-outbox.ts";

export interface OutboxDeps {
  readonly vfs: Vfs;
  /** Its own: nothing else stands in it. */
  readonly directory: string;
  readonly log: (line: string) => void;
  readonly now: () => number;
  /** Of the file; tests alone have another. */
  readonly mostBytes?: number;
}

/** Opens what is there, and mends it. A disk that does not answer keeps nobody from going on: everything is tried again with the next use. */
export async function openOutbox(deps: OutboxDeps): Promise<Outbox> {
  const outbox = new DiskOutbox(deps);
  await outbox.open();
  return outbox;
}

/** One answer of `after` is no longer than this, or a single message. */
const answerBytes = 128 * 1024;
/** Below this a file is not written anew for what is acknowledged in it. */
const worthwhileBytes = 64 * 1024;

interface Change {
  readonly records?: readonly OutRecord[];
  readonly acked?: number;
  readonly mark?: string;
  readonly drop?: readonly Entry[];
}

class DiskOutbox implements Outbox {
  readonly #deps: OutboxDeps;
  readonly #places: OutboxPlaces;
  readonly #most: number;
  /** What the file holds; undefined until it could be read. */
  #contents: Contents | undefined;
  #generation = 0;
  /** Open for the next append; undefined when the file has to be written anew before anything is added to it. */
  #file: VfsFile | undefined;
  #end = 0;
  #reserved = 0;
  #gap: Gap = noGap;
  /** Up to where a server that has lost something was told that it is gone. */
  #told = 0;
  #said = "";
  #isClosed = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    this.#places = outboxPlaces(deps.directory);
    this.#most = deps.mostBytes ?? 64 * 1024 * 1024;
  }

  async open(): Promise<void> {
    await this.#inTurn(() => this.#mend()).catch((error: unknown) => this.#complain(error));
  }

  put(kind: OutKind, body: Json, mark?: string): Promise<number> {
    return this.#inTurn(async () => {
      try {
        return await this.#put(kind, JSON.stringify(body), mark);
      } catch (error) {
        this.#gap = { ...this.#gap, refused: withCount(this.#gap.refused, [kind]) };
        throw this.#named(error);
      }
    });
  }

  after(seq: number, limit: number): Promise<readonly OutRecord[]> {
    return this.#inTurn(async () => {
      try {
        const { contents, file } = await this.#mend();
        const found: OutRecord[] = [];
        let bytes = 0;
        for (const entry of someAfter(contents.entries, seq, limit)) {
          bytes += entry.bytes;
          if (found.length > 0 && bytes > answerBytes) break;
          found.push(await this.#read(file, entry));
        }
        return found;
      } catch (error) {
        this.#complain(error);
        return [];
      }
    });
  }

  ack(seq: number): Promise<void> {
    return this.#inTurn(async () => {
      const { contents } = await this.#mend();
      if (seq > contents.last) throw fault("frame.malformed", `expected at most ${contents.last}, found ${seq}`);
      if (seq > contents.acked) await this.#commit({ acked: seq });
    }).catch((error: unknown) => {
      throw this.#named(error);
    });
  }

  rewind(seq: number): Promise<void> {
    return this.#inTurn(async () => {
      const { contents } = await this.#mend();
      // Whatever was acknowledged and is no longer here stood before the first that is.
      const floor = Math.min(contents.acked, (contents.entries[0]?.seq ?? contents.last + 1) - 1);
      if (floor <= seq || floor <= this.#told) return;
      const unknown = `the server has lost what it had behind ${seq}; up to ${floor} it is no longer on the host`;
      this.#gap = { ...this.#gap, unknown };
      this.#told = floor;
      await this.#commit({ records: this.#gapRecords(contents.last + 1) });
      this.#gap = noGap;
    }).catch((error: unknown) => {
      throw this.#named(error);
    });
  }

  setMark(mark: string): Promise<void> {
    return this.#inTurn(async () => {
      const { contents } = await this.#mend();
      if (contents.mark !== mark) await this.#commit({ mark });
    }).catch((error: unknown) => {
      throw this.#named(error);
    });
  }

  cursor(): Cursor | undefined {
    return this.#contents && { acked: this.#contents.acked, last: this.#contents.last };
  }

  mark(): string | undefined {
    return this.#contents?.mark ?? undefined;
  }

  waiting(): { readonly records: number; readonly bytes: number; readonly dropped: number } {
    const refused = [...this.#gap.refused.values()].reduce((sum, count) => sum + count, 0);
    const { records, bytes } = this.#contents?.waiting ?? nothing;
    return { records, bytes, dropped: (this.#contents?.dropped ?? 0) + refused };
  }

  async close(): Promise<void> {
    await this.#turn;
    this.#isClosed = true;
    await this.#letGo();
  }

  /** One after the other: an append begins when the one before is durable. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(() => {
      if (this.#isClosed) throw fault("outbox.unwritable", "the outbox is closed");
      return work();
    });
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #put(kind: OutKind, body: string, mark: string | undefined): Promise<number> {
    const bytes = Buffer.byteLength(body);
    if (bytes > mostBodyBytes) {
      throw fault("frame.too_large", `expected a message of at most ${mostBodyBytes} bytes, found ${bytes}`);
    }
    const { contents } = await this.#mend();
    const drop = this.#roomFor(contents, kind, bytes);
    const before = this.#gap;
    const dropped = withCount(
      before.dropped,
      drop.map((each) => each.kind),
    );
    this.#gap = { ...before, dropped };
    try {
      const gap = this.#gapRecords(contents.last + 1);
      const seq = contents.last + 1 + gap.length;
      const records = [...gap, { seq, kind, body }];
      await this.#commit({ records, drop, ...(mark === undefined ? {} : { mark }) });
      this.#gap = noGap;
      return seq;
    } catch (error) {
      // The file is as it was, and so is what has to be told.
      this.#gap = before;
      throw error;
    }
  }

  #gapRecords(seq: number): OutRecord[] {
    const event = gapEvent(this.#gap, this.#deps.now());
    return event === undefined ? [] : [{ seq, kind: "event", body: JSON.stringify(event) }];
  }

  /** An eighth stays free for what is acknowledged or replaced, so that the file is never written anew for a single message. */
  #roomFor({ entries, acked, waiting }: Contents, kind: OutKind, bytes: number): readonly Entry[] {
    const eighth = this.#most / 8;
    const all = waiting.weight + weightOf(bytes) + weightOf(256);
    if (all <= 7 * eighth) return [];
    const drop = makeRoom(between(entries, acked), kind, { need: all - 7 * eighth, want: all - 6 * eighth });
    if (drop !== undefined) return drop;
    throw fault("outbox.full", `${waiting.records} messages (${waiting.bytes} bytes) wait for the server`);
  }

  async #commit(change: Change): Promise<void> {
    const { contents, file } = await this.#mend();
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
    if (drop.length > 0 || end > this.#most || isHalfEmpty) return this.#writeAnew(change);
    await this.#append(file, frame);
    this.#contents = applyChange(contents, written, { at: this.#end, bytes: frame.length });
    this.#end = end;
  }

  async #append(file: VfsFile, frame: Buffer): Promise<void> {
    try {
      await file.write(frame, this.#end);
    } catch (error) {
      // Half of it may stand there; the next one begins at the same place.
      await file.truncate(this.#end).catch(() => this.#letGo());
      throw error;
    }
    try {
      await file.sync();
    } catch (error) {
      // Nothing is known about these bytes any more, whatever a second sync would say.
      await this.#letGo();
      throw error;
    }
  }

  async #writeAnew({ records = [], acked, mark, drop = [] }: Change): Promise<void> {
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
    const source = kept.length === 0 ? undefined : await vfs.open(this.#places.records, "read");
    try {
      const from = source && { file: source, generation: this.#generation };
      const written = await writeOutbox(vfs, this.#places.records, {
        generation,
        state,
        kept,
        source: from,
        added: records,
      });
      await this.#letGo();
      this.#generation = generation;
      this.#contents = written.contents;
      this.#end = written.end;
      this.#file = await vfs.open(this.#places.records, "write");
    } catch (error) {
      // Nobody knows which of the two files stands there, or the one that does is damaged: it is read again.
      if (error instanceof UnknownOutcome || isFault(error)) await this.#forget();
      throw error;
    } finally {
      await source?.close();
    }
  }

  /** The file as it can be used: read, and written anew when something about it is not known to be durable. */
  async #mend(): Promise<{ readonly contents: Contents; readonly file: VfsFile }> {
    this.#contents ??= await this.#load();
    if (this.#file === undefined) await this.#writeAnew({});
    this.#said = "";
    return { contents: this.#contents, file: this.#file as unknown as VfsFile };
  }

  async #load(): Promise<Contents> {
    const { contents, generation, reserved, lost } = await loadOutbox(this.#deps, this.#places);
    this.#generation = generation;
    this.#reserved = reserved;
    if (lost !== undefined) this.#gap = { ...this.#gap, unknown: lost };
    return contents;
  }

  async #read(file: VfsFile, entry: Entry): Promise<OutRecord> {
    try {
      return await readRecord({ file, generation: this.#generation }, entry);
    } catch (error) {
      if (isFault(error)) await this.#forget();
      throw error;
    }
  }

  async #forget(): Promise<void> {
    await this.#letGo();
    this.#contents = undefined;
  }

  async #letGo(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch((error: unknown) => this.#complain(error));
  }

  #named(error: unknown): Error {
    if (isFault(error)) return error;
    const detail = error instanceof Error ? error.message : "unknown";
    return fault("outbox.unwritable", `${this.#places.records}: ${detail}`, { cause: error });
  }

  /** Said once, not with every try. */
  #complain(error: unknown): void {
    const line = this.#named(error).message;
    if (line !== this.#said) this.#deps.log(line);
    this.#said = line;
  }
}

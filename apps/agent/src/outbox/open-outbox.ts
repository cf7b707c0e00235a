import type { Json } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract/faults";
import type { Vfs } from "@gatehouse/files";
import { between, type Contents, type Entry, nothing, someAfter, weightOf } from "./contents.ts";
import { type Gap, gapEvent, noGap, withCount } from "./gap.ts";
import { makeRoom } from "./make-room.ts";
import type { ChangeMark, Cursor, Outbox } from "./outbox.ts";
import { mostBodyBytes, type OutKind, type OutRecord } from "./outbox-format.ts";
import { RecordsFile } from "./records-file.ts";

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

class DiskOutbox implements Outbox {
  readonly #deps: OutboxDeps;
  readonly #most: number;
  readonly #records: RecordsFile;
  #gap: Gap = noGap;
  /** Up to where a server that has lost something was told that it is gone. */
  #told = 0;
  #said = "";
  #isClosed = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    this.#most = deps.mostBytes ?? 64 * 1024 * 1024;
    this.#records = new RecordsFile({
      ...deps,
      mostBytes: this.#most,
      onLost: (unknown) => {
        this.#gap = { ...this.#gap, unknown };
      },
      complain: (error) => this.#complain(error),
    });
  }

  async open(): Promise<void> {
    await this.#inTurn(() => this.#mend()).catch((error: unknown) => this.#complain(error));
  }

  put(kind: OutKind, body: Json, mark?: ChangeMark): Promise<number> {
    return this.#inTurn(async () => {
      try {
        return await this.#put(kind, JSON.stringify(body), mark);
      } catch (error) {
        // An outcome stands in the helper's journal, and is put again: nothing is missing for good.
        if (kind !== "outcome") this.#gap = { ...this.#gap, refused: withCount(this.#gap.refused, [kind]) };
        throw this.#named(error);
      }
    });
  }

  after(seq: number, limit: number): Promise<readonly OutRecord[]> {
    return this.#inTurn(async () => {
      try {
        const contents = await this.#mend();
        const found: OutRecord[] = [];
        let bytes = 0;
        for (const entry of someAfter(contents.entries, seq, limit)) {
          bytes += entry.bytes;
          if (found.length > 0 && bytes > answerBytes) break;
          found.push(await this.#records.read(entry));
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
      const contents = await this.#mend();
      if (seq > contents.last) throw fault("frame.malformed", `expected at most ${contents.last}, found ${seq}`);
      if (seq > contents.acked) await this.#records.commit({ acked: seq });
    }).catch((error: unknown) => {
      throw this.#named(error);
    });
  }

  rewind(seq: number): Promise<void> {
    return this.#inTurn(async () => {
      const contents = await this.#mend();
      // Whatever was acknowledged and is no longer here stood before the first that is.
      const floor = Math.min(contents.acked, (contents.entries[0]?.seq ?? contents.last + 1) - 1);
      if (floor <= seq || floor <= this.#told) return;
      const unknown = `the server has lost what it had behind ${seq}; up to ${floor} it is no longer on the host`;
      this.#gap = { ...this.#gap, unknown };
      this.#told = floor;
      await this.#records.commit({ records: this.#gapRecords(contents.last + 1) });
      this.#gap = noGap;
    }).catch((error: unknown) => {
      throw this.#named(error);
    });
  }

  setMark(change: ChangeMark): Promise<void> {
    return this.#inTurn(async () => {
      const contents = await this.#mend();
      const mark = change(contents.mark ?? undefined);
      if (contents.mark !== mark) await this.#records.commit({ mark });
    }).catch((error: unknown) => {
      throw this.#named(error);
    });
  }

  tellGap(): Promise<boolean> {
    return this.#inTurn(async () => {
      if (gapEvent(this.#gap, 0) === undefined) return false;
      const contents = await this.#mend();
      // A full outbox has word of it when something fits again: it must not be filled with that word.
      if (this.#weightWith(contents, 0) > this.#mostWeight) return false;
      await this.#records.commit({ records: this.#gapRecords(contents.last + 1) });
      this.#gap = noGap;
      return true;
    }).catch((error: unknown) => {
      this.#complain(error);
      return false;
    });
  }

  cursor(): Cursor | undefined {
    const { contents } = this.#records;
    return contents && { acked: contents.acked, last: contents.last };
  }

  mark(): string | undefined {
    return this.#records.contents?.mark ?? undefined;
  }

  waiting(): { readonly records: number; readonly bytes: number; readonly dropped: number } {
    const refused = [...this.#gap.refused.values()].reduce((sum, count) => sum + count, 0);
    const { contents } = this.#records;
    const { records, bytes } = contents?.waiting ?? nothing;
    return { records, bytes, dropped: (contents?.dropped ?? 0) + refused };
  }

  async close(): Promise<void> {
    await this.#turn;
    this.#isClosed = true;
    await this.#records.close();
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

  async #put(kind: OutKind, body: string, mark: ChangeMark | undefined): Promise<number> {
    const bytes = Buffer.byteLength(body);
    if (bytes > mostBodyBytes) {
      throw fault("frame.too_large", `expected a message of at most ${mostBodyBytes} bytes, found ${bytes}`);
    }
    const contents = await this.#mend();
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
      const marked = mark === undefined ? {} : { mark: mark(contents.mark ?? undefined) };
      await this.#records.commit({ records, drop, ...marked });
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
  get #mostWeight(): number {
    return (7 * this.#most) / 8;
  }

  /** With a message of so many bytes, and the word about a gap before it. */
  #weightWith({ waiting }: Contents, bytes: number): number {
    return waiting.weight + weightOf(bytes) + weightOf(256);
  }

  #roomFor(contents: Contents, kind: OutKind, bytes: number): readonly Entry[] {
    const { entries, acked, waiting } = contents;
    const all = this.#weightWith(contents, bytes);
    const need = all - this.#mostWeight;
    if (need <= 0) return [];
    const drop = makeRoom(between(entries, acked), kind, { need, want: need + this.#most / 8 });
    if (drop !== undefined) return drop;
    throw fault("outbox.full", `${waiting.records} messages (${waiting.bytes} bytes) wait for the server`);
  }

  async #mend(): Promise<Contents> {
    const contents = await this.#records.mend();
    this.#said = "";
    return contents;
  }

  #named(error: unknown): Error {
    if (isFault(error)) return error;
    const detail = error instanceof Error ? error.message : "unknown";
    return fault("outbox.unwritable", `${this.#records.path}: ${detail}`, { cause: error });
  }

  /** Said once, not with every try. */
  #complain(error: unknown): void {
    const line = this.#named(error).message;
    if (line !== this.#said) this.#deps.log(line);
    this.#said = line;
  }
}

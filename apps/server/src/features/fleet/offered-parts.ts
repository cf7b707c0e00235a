import type { Blob } from "@gatehouse/store/blobs";

/** A part that is too large to hold: it is opened when the host first asks for it, and read piece by piece. */
export interface PartSource {
  readonly size: number;
  readonly open: () => Promise<Pick<Blob, "read" | "close">>;
}

export type OfferedPart = Uint8Array | PartSource;

/** The parts of a task, by the SHA-256 of each in hexadecimal. */
export type OfferedParts = ReadonlyMap<string, OfferedPart>;

export function sizeOfPart(part: OfferedPart): number {
  return part instanceof Uint8Array ? part.byteLength : part.size;
}

/** The parts of one task while it is offered: each is opened once at most, and closed when the task has ended. */
export class OpenedParts {
  readonly #parts: OfferedParts;
  readonly #opened = new Map<PartSource, Promise<Pick<Blob, "read" | "close">>>();
  #isClosed = false;

  constructor(parts: OfferedParts) {
    this.#parts = parts;
  }

  get size(): number {
    return [...this.#parts.values()].reduce((sum, part) => sum + sizeOfPart(part), 0);
  }

  find(sha256: string): OfferedPart | undefined {
    return this.#parts.get(sha256);
  }

  /** Exactly these bytes. Rejects where the source cannot be opened or read, or is shorter than it was said to be. */
  async read(source: PartSource, offset: number, length: number): Promise<Uint8Array> {
    if (this.#isClosed) throw new Error("the task has ended");
    const blob = await (this.#opened.get(source) ?? this.#open(source));
    const bytes = new Uint8Array(length);
    for (let read = 0; read < length; ) {
      const piece = await blob.read(offset + read, length - read);
      if (piece.byteLength === 0) throw new Error("a part is shorter than it was said to be");
      bytes.set(piece, read);
      read += piece.byteLength;
    }
    return bytes;
  }

  /** One that could not be opened is tried again when it is next asked for. */
  #open(source: PartSource): Promise<Pick<Blob, "read" | "close">> {
    const opening = source.open();
    this.#opened.set(source, opening);
    opening.catch(() => this.#opened.delete(source));
    return opening;
  }

  /** What is being opened is closed as soon as it is open; a read under way ends first. */
  close(): void {
    this.#isClosed = true;
    for (const opening of this.#opened.values()) {
      // One that could not be opened has nothing to close, and whoever asked for it knows; reading is over either way.
      opening.then((blob) => blob.close()).catch(() => undefined);
    }
    this.#opened.clear();
  }
}

import type { Clock } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { type Blob, blobLimits, type BlobOwner } from "./blobs.ts";

export interface BlobsDeps {
  readonly clock?: Pick<Clock, "monotonic">;
  /** A smaller one, for tests. */
  readonly mostBytes?: number;
}

const form = /^[0-9a-f]{64}$/;

export function isDigest(name: string): boolean {
  return form.test(name);
}

export function checkDigest(digest: string): void {
  if (!isDigest(digest)) throw fault("blob.unknown", "a blob is named by 64 lowercase hexadecimal digits");
}

export function noBlob(digest: string): Error {
  return fault("blob.unknown", `there is no blob ${digest}`);
}

/** The parts as they come, up to what one blob may have. */
export async function* bounded(
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  mostBytes: number = blobLimits.bytes,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of parts) {
    size += part.length;
    if (size > mostBytes) {
      throw fault("blob.too_large", `a blob has at most ${mostBytes} bytes`, { fields: { limit: mostBytes } });
    }
    yield part;
  }
}

/** A blob over something that can be read. Closing waits for what is being read, and then nothing is read any more. */
export function readable(size: number, source: Pick<Blob, "read" | "close">): Blob {
  const reads = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  return {
    size,
    read: async (at, length) => {
      if (closing !== undefined) throw fault("store.closed", "the blob was closed");
      const most = Math.min(length, blobLimits.readBytes, size - at);
      if (at < 0 || !(most > 0)) return new Uint8Array(0);
      const read = source.read(at, most);
      reads.add(read);
      try {
        return await read;
      } finally {
        reads.delete(read);
      }
    },
    close: () => {
      closing ??= Promise.allSettled(reads).then(() => source.close());
      return closing;
    },
  };
}

/** Who has brought each blob since this process began, and how many read it. */
export class Holders {
  readonly #bringers = new Map<string, Set<BlobOwner | undefined>>();
  readonly #readers = new Map<string, number>();

  bring(digest: string, owner: BlobOwner | undefined): void {
    owner?.onBrought(digest);
    this.#bringers.set(digest, (this.#bringers.get(digest) ?? new Set()).add(owner));
  }

  isHeldFor(owner: BlobOwner, digest: string): boolean {
    const others = [...(this.#bringers.get(digest) ?? [])].some((one) => one !== owner);
    return others || this.#readers.has(digest) || owner.isOnItsWay(digest);
  }

  forget(digest: string): void {
    this.#bringers.delete(digest);
  }

  /** Counts whoever opens it until they close it, or until it could not be opened. */
  async read(digest: string, open: () => Promise<Blob>): Promise<Blob> {
    this.#readers.set(digest, (this.#readers.get(digest) ?? 0) + 1);
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      const left = (this.#readers.get(digest) ?? 0) - 1;
      if (left > 0) this.#readers.set(digest, left);
      else this.#readers.delete(digest);
    };
    try {
      const blob = await open();
      return { size: blob.size, read: (at, length) => blob.read(at, length), close: () => blob.close().finally(end) };
    } catch (error) {
      end();
      throw error;
    }
  }
}

/** How long this process has known of each blob. */
export class Ages {
  readonly #met = new Map<string, number>();
  readonly #clock: Pick<Clock, "monotonic">;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** It begins anew: somebody has just brought the bytes. */
  begin(digest: string): void {
    this.#met.set(digest, this.#clock.monotonic());
  }

  of(digest: string): number {
    const met = this.#met.get(digest);
    if (met === undefined) this.begin(digest);
    return met === undefined ? 0 : this.#clock.monotonic() - met;
  }

  forget(digest: string): void {
    this.#met.delete(digest);
  }
}

/** One blob, open for reading. Its bytes were checked against its name. */
export interface Blob {
  readonly size: number;
  /** The bytes from `at` on: as many as asked for and there are, and at most `blobLimits.readBytes`. */
  read(at: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Large bytes, named by their SHA-256 in 64 lowercase hexadecimal digits. Durable before the commit that names them;
 * collected when no record does. Adapters: memory (tests), files (one container). All pass the cases in `blob-cases.ts`.
 */
export interface Blobs {
  /**
   * Keeps the bytes and returns their digest. When this resolves they are durable and may be named. Refuses more than
   * `blobLimits.bytes` with `blob.too_large`; nothing is kept then.
   */
  put(parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string>;
  /** Refuses what is not there, or not what its name says, with `blob.unknown`. Bytes are checked once in a process. */
  open(digest: string): Promise<Blob>;
  /**
   * Removes every blob that `isNamed` does not know and that is older than so long: younger ones may be on their way into a
   * record. A `put` under way is never touched. Age counts from when this process first met the blob, on the clock that
   * never goes back: a clock that is set must not make a new blob old, and a restart only makes collecting later.
   */
  collect(isNamed: (digest: string) => boolean, olderThanMs: number): Promise<readonly string[]>;
}

export const blobLimits = {
  bytes: 512 * 1024 * 1024,
  readBytes: 1024 * 1024,
} as const;

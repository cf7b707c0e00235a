/** One blob, open for reading. Its bytes were checked against its name. */
export interface Blob {
  readonly size: number;
  /** The bytes from `at` on: as many as asked for and there are, and at most `blobLimits.readBytes`. */
  read(at: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Who brings blobs and takes them away again at once, when no record names them any more. It says what is on its way into a record:
 * nobody else knows.
 */
export interface BlobOwner {
  /** Called before the bytes are there under this name. From then on they are on their way, until the owner says otherwise. */
  readonly onBrought: (digest: string) => void;
  readonly isOnItsWay: (digest: string) => boolean;
  /** Whether any record names it, of the owner or of others. */
  readonly isNamed: (digest: string) => Promise<boolean>;
}

/**
 * Large bytes, named by their SHA-256 in 64 lowercase hexadecimal digits. Durable before the commit that names them;
 * collected when no record does. Adapters: memory (tests), files (one container). All pass the cases in `blob-cases.ts`.
 */
export interface Blobs {
  /**
   * Keeps the bytes and returns their digest. When this resolves they are durable and may be named. Refuses more than
   * `blobLimits.bytes` with `blob.too_large`, and with `store.disk_full` while the disk is full, or low on space for what is more than
   * small; nothing is kept then.
   */
  put(parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, owner?: BlobOwner): Promise<string>;
  /** Refuses what is not there, or not what its name says, with `blob.unknown`. Bytes are checked once in a process. */
  open(digest: string): Promise<Blob>;
  /**
   * Removes every blob that `isNamed` does not know and that is older than so long: younger ones may be on their way into a
   * record. A `put` under way is never touched. Age counts from when this process first met the blob, on the clock that
   * never goes back: a clock that is set must not make a new blob old, and a restart only makes collecting later.
   */
  collect(isNamed: (digest: string) => boolean, olderThanMs: number): Promise<readonly string[]>;
  /**
   * Removes a blob whatever its age, also one that an earlier process has left. Leaves what is `named` by a record, and what is `held`:
   * on its way, being read, or brought by anybody else since this process began.
   */
  remove(digest: string, owner: BlobOwner): Promise<"gone" | "named" | "held">;
}

export const blobLimits = {
  bytes: 512 * 1024 * 1024,
  readBytes: 1024 * 1024,
} as const;

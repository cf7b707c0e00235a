import { fault } from "@gatehouse/contract/faults";
import type { Vfs } from "@gatehouse/files";

const mebibyte = 1024 * 1024;

/** Log ingest stops below this, so that the audit log is the last thing to stop. */
export function isLow(free: number, total: number): boolean {
  return free < Math.max(512 * mebibyte, total * 0.05);
}

/** Changes stop below this: enough must stay for a checkpoint and an orderly end. Small disks keep a fiftieth. */
export function isFullAt(free: number, total: number): boolean {
  return free < Math.min(16 * mebibyte, total * 0.02);
}

/** More than that is refused while space is low: what comes beside the log must leave room for it. */
const smallBytes = mebibyte;

/** Watches the free space of the data directory. A record that could not be written is refused before it is sequenced. */
export class DiskGuard {
  readonly #vfs: Vfs;
  readonly #directory: string;
  readonly #timer: NodeJS.Timeout;
  #space: { free: number; total: number } | undefined;
  #looking: Promise<void> | undefined;

  constructor(vfs: Vfs, directory: string, everyMs = 5_000) {
    this.#vfs = vfs;
    this.#directory = directory;
    this.#timer = setInterval(() => void this.look(), everyMs).unref();
  }

  get freeBytes(): number | undefined {
    return this.#space?.free;
  }

  get totalBytes(): number | undefined {
    return this.#space?.total;
  }

  get low(): boolean {
    return this.#space !== undefined && isLow(this.#space.free, this.#space.total);
  }

  get full(): boolean {
    return this.#space !== undefined && isFullAt(this.#space.free, this.#space.total);
  }

  look(): Promise<void> {
    this.#looking ??= this.#vfs
      .space(this.#directory)
      .then(
        (space) => {
          this.#space = space;
        },
        // A directory that cannot be asked is left to the next write, which will tell for certain.
        () => undefined,
      )
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  /** Refuses when the disk is full, or low for so many bytes; looks again at once, so that freed space is noticed by the next try. */
  check(bytes = 0): void {
    if (!(bytes > smallBytes ? this.low : this.full)) return;
    void this.look();
    throw diskFull(this.#space?.free);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

export function diskFull(free: number | undefined, cause?: unknown): Error {
  const left = free === undefined ? "no space is left" : `${Math.floor(free / 1024)} KiB are free`;
  return fault("store.disk_full", `the change was not made: ${left} in the data directory`, { cause });
}

import { closeSync, fdatasync, openSync, write } from "node:fs";

/** The bare engine: lines appended to a file, a group made durable by one write and one fdatasync. No chain, no checks, no state. */
export class BareGroupCommit {
  readonly #fd: number;
  #queue: { line: string; version: number; resolve: (committed: { version: number }) => void }[] = [];
  #busy = false;
  #at = 0;
  #lines = 0;

  constructor(path: string) {
    this.#fd = openSync(path, "w", 0o600);
  }

  /** The number of a line is its version, as the position of a commit is for the store: what both write is equally long. */
  append(line: string): Promise<{ version: number }> {
    return new Promise((resolve) => {
      this.#lines += 1;
      this.#queue.push({ line, version: this.#lines, resolve });
      if (this.#busy) return;
      this.#busy = true;
      setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const group = this.#queue;
    if (group.length === 0) {
      this.#busy = false;
      return;
    }
    this.#queue = [];
    const bytes = Buffer.from(group.map(({ line }) => line).join(""));
    write(this.#fd, bytes, 0, bytes.length, this.#at, (writeError) => {
      if (writeError) throw writeError;
      this.#at += bytes.length;
      fdatasync(this.#fd, (syncError) => {
        if (syncError) throw syncError;
        for (const { version, resolve } of group) resolve({ version });
        setImmediate(() => this.#flush());
      });
    });
  }

  close(): void {
    closeSync(this.#fd);
  }
}

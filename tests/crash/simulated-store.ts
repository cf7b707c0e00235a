import type { FaultyVfs } from "@gatehouse/files/faulty";
import { type FileStore, openFileStore } from "@gatehouse/store";
import { inventedKinds } from "../support/invented-kinds.ts";
import { type DoomedProcess, doomedProcess } from "./doomed-process.ts";
import { IndexHistory } from "./index-history.ts";
import type { MemoryIndexDisk } from "../../packages/store/src/audit-index/memory-index.ts";

export const directory = "/data";

/** A machine without a machine: a disk in memory and the processes that use it, one after the other. */
export class Machine {
  readonly disk: FaultyVfs;
  readonly index: IndexHistory;

  constructor(disk: FaultyVfs, held?: MemoryIndexDisk) {
    this.disk = disk;
    this.index = new IndexHistory(disk, held);
  }

  /** Starts a process and opens the store in it; undefined when the process did not live long enough. */
  async start(options: { checkpointBytes: number; lifetime?: number }): Promise<Running | undefined> {
    const process = doomedProcess(this.disk, options.lifetime);
    const fatal: unknown[] = [];
    const store = await Promise.race([
      process.died,
      openFileStore({
        directory,
        kinds: inventedKinds,
        vfs: process.vfs,
        openIndex: this.index.open,
        lock: () => ({ release: () => undefined }),
        checkpointBytes: options.checkpointBytes,
        onFatal: (error) => {
          fatal.push(error);
          process.kill();
        },
      }),
    ]);
    return store === undefined ? undefined : { store, process, fatal };
  }
}

export interface Running {
  readonly store: FileStore;
  readonly process: DoomedProcess;
  readonly fatal: readonly unknown[];
}

/** Ends a process without a goodbye. Its timers are stopped; a dead store must not keep its memory. */
export function abandon({ store, process }: Running): void {
  process.kill();
  void store.close();
}

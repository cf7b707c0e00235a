import { type FaultyVfs } from "@gatehouse/files/faulty";
import type { AuditIndex } from "../../packages/store/src/audit-index/audit-index.ts";
import {
  type MemoryIndexDisk,
  memoryIndex,
  newMemoryIndexDisk,
} from "../../packages/store/src/audit-index/memory-index.ts";

/** The durable part of the audit index, in step with the operations of a disk: what it held at every moment. */
export class IndexHistory {
  readonly #disk: FaultyVfs;
  readonly #live: MemoryIndexDisk;
  readonly #moments: { readonly op: number; readonly held: MemoryIndexDisk }[];

  constructor(disk: FaultyVfs, held: MemoryIndexDisk = newMemoryIndexDisk()) {
    this.#disk = disk;
    this.#live = copyOf(held);
    this.#moments = [{ op: 0, held }];
  }

  /** Opens the index as a process would; the part that is not durable is new. */
  readonly open = async (): Promise<AuditIndex> => {
    const index = memoryIndex(this.#live);
    const recorded = async (change: Promise<void>): Promise<void> => {
      await change;
      this.#moments.push({ op: this.#disk.tick(), held: copyOf(this.#live) });
    };
    return {
      ...index,
      archive: (head) => recorded(index.archive(head)),
      prune: (position) => recorded(index.prune(position)),
    };
  };

  /** What power loss after operation `op` leaves. */
  at(op: number): MemoryIndexDisk {
    return (this.#moments.findLast((moment) => moment.op <= op) as { held: MemoryIndexDisk }).held;
  }
}

function copyOf(disk: MemoryIndexDisk): MemoryIndexDisk {
  return { ...disk, groups: [...disk.groups] };
}

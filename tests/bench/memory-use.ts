import { readFileSync } from "node:fs";

/** The memory of a process in kilobytes of 1,000 bytes, as the kernel counts it. */
export interface MemoryUse {
  /** All pages that it has in memory, also those of the file that others have too. */
  readonly rss: number;
  /** The same, where a page that two processes have counts half for each. */
  readonly proportional: number;
  /** Pages that no file stands behind: nobody but this process has them. */
  readonly anonymous: number;
}

export function readMemoryUse(pid: number): MemoryUse {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const read = (name: string) => {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1];
    if (found === undefined) throw new Error(`the kernel does not say ${name} of ${pid}`);
    return Number(found) * 1.024;
  };
  return { rss: read("Rss"), proportional: read("Pss"), anonymous: read("Anonymous") };
}

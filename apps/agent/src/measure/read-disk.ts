import { readFile, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Timers } from "../host/timers.ts";
import { findFileSystems, parseMounts } from "./parse-mounts.ts";

export interface FullestDisk {
  readonly percent: number;
  /** In bytes. */
  readonly total: number;
}

/** In blocks: all, those that are free, those that are free for programs without root's rights. */
export interface DiskBlocks {
  readonly blocks: number;
  readonly bfree: number;
  readonly bavail: number;
  /** Bytes of one. */
  readonly frsize: number;
}

export type AskDisk = (place: string) => Promise<DiskBlocks>;

export interface ReadDiskDeps {
  readonly root: string;
  readonly timers: Timers;
  readonly askDisk: AskDisk;
}

export const askKernelOfDisk: AskDisk = (place) => statfs(place);

/** A disk that has not answered by then is one of which nothing is known. */
export const diskAnswerMs = 5_000;

/** More than any host has; it bounds what a strange one costs. */
const mostDisks = 256;
/** The shortest names of one file system; when none of them may be looked at, none may. */
const mostPlaces = 8;

/**
 * Reads how full the fullest file system is; null when that is not known in time. A question to a dead disk never comes
 * back: until it does nothing else is asked, so that it holds one thread and no more.
 */
export function openDiskReader(deps: ReadDiskDeps): () => Promise<FullestDisk | null> {
  let isAsking = false;
  return async () => {
    if (isAsking) return null;
    isAsking = true;
    const asked = askAll(deps)
      .catch(() => null)
      .finally(() => {
        isAsking = false;
      });
    const late = Promise.withResolvers<null>();
    const stop = deps.timers.after(diskAnswerMs, () => late.resolve(null));
    const answer = await Promise.race([asked, late.promise]);
    stop();
    return answer;
  };
}

async function askAll({ root, askDisk }: ReadDiskDeps): Promise<FullestDisk | null> {
  const mountinfo = await readFile(join(root, "proc/self/mountinfo"), "utf8");
  let fullest: FullestDisk | null = null;
  for (const places of findFileSystems(parseMounts(mountinfo)).slice(0, mostDisks)) {
    const disk = await askOne(root, askDisk, places.slice(0, mostPlaces));
    if (disk !== null && disk.percent > (fullest?.percent ?? -1)) fullest = disk;
  }
  return fullest;
}

/** One after the other until one is answered: some places are closed to the agent. */
async function askOne(root: string, askDisk: AskDisk, places: readonly string[]): Promise<FullestDisk | null> {
  for (const place of places) {
    const blocks = await askDisk(join(root, place)).catch(() => null);
    if (blocks !== null) return diskOf(blocks);
  }
  return null;
}

/** As `df` has it: what only root may fill counts neither as used nor as free. */
function diskOf({ blocks, bfree, bavail, frsize }: DiskBlocks): FullestDisk | null {
  const used = blocks - bfree;
  if (!(used >= 0 && used + bavail > 0)) return null;
  return { percent: (100 * used) / (used + bavail), total: blocks * frsize };
}

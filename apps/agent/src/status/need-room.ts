import { accessSync, constants, statfsSync } from "node:fs";
import { fault } from "@gatehouse/contract/faults";

/** The outbox is written anew at every start; with less than this not even an empty one is safe. */
const leastBytes = 64 * 1024;

/** Refuses a state directory that takes nothing: `outbox.unwritable`. Gives the bytes that are free; undefined where there is none, or the caller may not look. */
export function needRoom(directory: string): number | undefined {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(directory);
    const free = bavail * bsize;
    if (free < leastBytes) throw fault("outbox.unwritable", `${directory}: ${free} bytes are free`);
    if (files > 0 && ffree === 0) throw fault("outbox.unwritable", `${directory}: no further file can be made`);
    accessSync(directory, constants.W_OK);
    return free;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EROFS") throw fault("outbox.unwritable", `${directory} is mounted read-only`, { cause: error });
    if (code === "ENOENT" || code === "EACCES") return undefined;
    throw error;
  }
}

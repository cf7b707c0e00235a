import { type BigIntStats, constants } from "node:fs";
import { fault } from "@gatehouse/contract";
import { describeKind, refusalOfSystemError } from "./system-error.ts";
import { systemFiles } from "./system-files.ts";

/** Entries of a bundle that are looked at: one that should not be there is enough. */
const mostNames = 16;

/** Node has no openat: the descriptor's entry in /proc reaches the same directory, whatever its name leads to by now. */
function within(directory: number, name: string): string {
  return `/proc/self/fd/${directory}/${name}`;
}

/** The names in a directory that is open, sorted; stops after a few, since a bundle has two. */
export async function readEntryNames(directory: number): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await systemFiles.opendir(within(directory, "."), { bufferSize: mostNames })) {
      names.push(entry.name);
      if (names.length === mostNames) break;
    }
  } catch (error) {
    throw refusalOfSystemError(error, "directory", "its directory");
  }
  return names.sort();
}

/** A regular file with one name, open for reading. */
export interface OpenFile {
  readonly descriptor: number;
  readonly stat: BigIntStats;
}

/** Opens a regular file with one name. Anything else is refused before it is opened: a device may act, a pipe may wait. */
export async function openEntry(directory: number, name: string): Promise<OpenFile> {
  const path = within(directory, name);
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
  let descriptor: number | undefined;
  try {
    const named = await systemFiles.lstat(path, { bigint: true });
    if (!named.isFile()) throw notRegular(name, describeKind(named));
    descriptor = await systemFiles.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const stat = await systemFiles.fstat(descriptor, { bigint: true });
    if (!stat.isFile()) throw notRegular(name, describeKind(stat));
    if (stat.nlink !== 1n) {
      throw fault("bundle.hard_link", `expected ${name} to have one name, found ${stat.nlink}`);
    }
    return { descriptor, stat };
  } catch (error) {
    if (descriptor !== undefined) await systemFiles.close(descriptor);
    throw refusalOfSystemError(error, "file", name);
  }
}

function notRegular(name: string, found: string): Error {
  return fault("bundle.not_a_regular_file", `expected ${name} to be a regular file, found ${found}`);
}

import { constants } from "node:fs";
import { type FileHandle, lstat, open, opendir } from "node:fs/promises";
import { fault } from "@gatehouse/contract";
import type { Snapshot } from "./file-bytes.ts";
import { describeKind, refusalOfSystemError } from "./system-error.ts";

/** Entries of a bundle that are looked at: one that should not be there is enough. */
const mostNames = 16;

/** Node has no openat: the descriptor's entry in /proc reaches the same directory, whatever its name leads to by now. */
function within(directory: FileHandle, name: string): string {
  return `/proc/self/fd/${directory.fd}/${name}`;
}

/** The names in a directory that is open, sorted; stops after a few, since a bundle has two. */
export async function readEntryNames(directory: FileHandle): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(within(directory, "."), { bufferSize: mostNames })) {
      names.push(entry.name);
      if (names.length === mostNames) break;
    }
  } catch (error) {
    throw refusalOfSystemError(error, "directory", "its directory");
  }
  return names.sort();
}

/** Opens a regular file with one name. Anything else is refused before it is opened: a device may act, a pipe may wait. */
export async function openEntry(
  directory: FileHandle,
  name: string,
  system: { lstat: typeof lstat; open: typeof open } = { lstat, open },
): Promise<{ handle: FileHandle; stat: Snapshot }> {
  const path = within(directory, name);
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
  let handle: FileHandle | undefined;
  try {
    const named = await system.lstat(path, { bigint: true });
    if (!named.isFile()) throw notRegular(name, describeKind(named));
    handle = await system.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const stat = await handle.stat({ bigint: true });
    if (!stat.isFile()) throw notRegular(name, describeKind(stat));
    if (stat.nlink !== 1n) {
      throw fault("bundle.hard_link", `expected ${name} to have one name, found ${stat.nlink}`);
    }
    return { handle, stat };
  } catch (error) {
    await handle?.close();
    throw refusalOfSystemError(error, "file", name);
  }
}

function notRegular(name: string, found: string): Error {
  return fault("bundle.not_a_regular_file", `expected ${name} to be a regular file, found ${found}`);
}

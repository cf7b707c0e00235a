import { dirname, resolve } from "node:path";
import { isAbsent, type Vfs, type VfsFile } from "./vfs.ts";

/** Replaces `path` whole or not at all: temporary file, sync, rename, directory sync. A leftover of an earlier try is replaced. */
export async function replaceDurably(
  vfs: Vfs,
  path: string,
  fill: (file: VfsFile, temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await createAnew(vfs, temporary);
  try {
    await fill(file, temporary);
    await syncOrEnd(file);
  } catch (error) {
    await file.close().catch(() => undefined);
    await vfs.remove(temporary).catch(() => undefined);
    throw error;
  }
  await file.close();
  try {
    await vfs.rename(temporary, path);
    await vfs.syncDirectory(dirname(path));
  } catch (error) {
    throw new UnknownOutcome(`${path} was being replaced`, { cause: error });
  }
}

/** The directory, and its name in its parent: without that a power cut takes the directory with everything in it. */
export async function makeDirectoryDurably(vfs: Vfs, path: string): Promise<void> {
  await vfs.makeDirectory(path);
  // Also when it was there already: whoever made it may have been killed before this step.
  await vfs.syncDirectory(dirname(resolve(path))).catch((error: unknown) => {
    // A mount point's parent may be another's, or read-only; then its name is not ours to keep.
    const { code } = error as { code?: unknown };
    if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS" && code !== "EINVAL") throw error;
  });
}

/** Nobody knows whether it happened. The process must end: only a new start can look. */
export class UnknownOutcome extends Error {}

/** A sync that failed, even for want of space, may have dropped what it was to keep; asking again would be told "done". */
export async function syncOrEnd(file: VfsFile): Promise<void> {
  await file.sync().catch((error: unknown) => {
    throw new UnknownOutcome("a file could not be synced", { cause: error });
  });
}

export function writeDurably(vfs: Vfs, path: string, bytes: Uint8Array): Promise<void> {
  return replaceDurably(vfs, path, (file) => file.write(bytes, 0));
}

export async function createAnew(vfs: Vfs, path: string): Promise<VfsFile> {
  await vfs.remove(path).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
  });
  return vfs.open(path, "create");
}

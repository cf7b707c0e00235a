import { dirname } from "node:path";
import { isAbsent, type Vfs, type VfsFile } from "./vfs.ts";

/** Replaces `path` whole or not at all: temporary file, sync, rename, directory sync. A leftover of an earlier try is replaced. */
export async function replaceDurably(vfs: Vfs, path: string, fill: (file: VfsFile) => Promise<void>): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await createAnew(vfs, temporary);
  try {
    await fill(file);
    await file.sync();
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

/** Nobody knows whether it happened. The process must end: only a new start can look. */
export class UnknownOutcome extends Error {}

export function writeDurably(vfs: Vfs, path: string, bytes: Uint8Array): Promise<void> {
  return replaceDurably(vfs, path, (file) => file.write(bytes, 0));
}

export async function createAnew(vfs: Vfs, path: string): Promise<VfsFile> {
  await vfs.remove(path).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
  });
  return vfs.open(path, "create");
}

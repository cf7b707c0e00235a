import { join } from "node:path";
import { isAbsent, makeDirectoryDurably, nodeVfs, type Vfs, writeDurably } from "@gatehouse/files";
import type { ChangeGround } from "./host-operation.ts";

/** A text that a program of the host is to read. */
export interface HostScript {
  readonly name: string;
  readonly text: string;
}

/**
 * Writes it where the program finds it, for root alone, and gives its path. One that stands there already is left: what was written
 * and proved while there was room can be used on a disk that is full by now.
 */
export async function putScript(
  { directory, vfs = nodeVfs }: Pick<ChangeGround, "directory" | "vfs">,
  { name, text }: HostScript,
): Promise<string> {
  const path = join(directory, name);
  const bytes = new TextEncoder().encode(text);
  if (await holds(vfs, path, bytes)) return path;
  await makeDirectoryDurably(vfs, directory);
  await writeDurably(vfs, path, bytes);
  return path;
}

async function holds(vfs: Vfs, path: string, bytes: Uint8Array): Promise<boolean> {
  const found = await findBytes(vfs, path, bytes.byteLength + 1);
  return found?.byteLength === bytes.byteLength && found.every((byte, index) => byte === bytes[index]);
}

/** What a file holds, up to so many bytes; undefined when there is none. */
export async function findBytes(vfs: Vfs, path: string, most: number): Promise<Uint8Array | undefined> {
  const file = await vfs.open(path, "read").catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    return await file.read(0, most);
  } finally {
    await file.close();
  }
}

/** The names in a directory; none where there is none. */
export async function namesIn(vfs: Vfs, directory: string): Promise<readonly string[]> {
  try {
    return await vfs.list(directory);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

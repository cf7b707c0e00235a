import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { makeDirectoryDurably, nodeVfs, writeDurably } from "@gatehouse/files";

/** Replaces a file whole or not at all, with the directory it stands in. What is not for root alone is opened up afterwards. */
export async function putFile(path: string, text: string, mode: 0o600 | 0o644): Promise<void> {
  await makeDirectoryDurably(nodeVfs, dirname(path));
  await writeDurably(nodeVfs, path, new TextEncoder().encode(text));
  if (mode !== 0o600) await chmod(path, mode);
}

/** A directory that everybody may look into. */
export async function openDirectory(path: string): Promise<void> {
  await makeDirectoryDurably(nodeVfs, path);
  await chmod(path, 0o755);
}

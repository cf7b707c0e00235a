import { dirname } from "node:path";
import { isFull, makeDirectoryDurably, type Vfs, writeDurably } from "@gatehouse/files";
import { type ConnectionStatus, connectionStatusText } from "./connection-status.ts";

/**
 * Replaced whole. On a full disk it is written over the one that stands there, which takes no room: it decides nothing, and half of one
 * is refused by whoever reads it.
 */
export async function putStatus(vfs: Vfs, path: string, status: ConnectionStatus): Promise<void> {
  const bytes = new TextEncoder().encode(connectionStatusText(status));
  try {
    await makeDirectoryDurably(vfs, dirname(path));
    await writeDurably(vfs, path, bytes);
  } catch (error) {
    if (!isFull(error)) throw error;
    await writeOver(vfs, path, bytes);
  }
}

async function writeOver(vfs: Vfs, path: string, bytes: Uint8Array): Promise<void> {
  const file = await vfs.open(path, "write");
  try {
    await file.write(bytes, 0);
    await file.truncate(bytes.byteLength);
  } finally {
    await file.close();
  }
}

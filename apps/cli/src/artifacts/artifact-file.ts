import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { UsageError } from "@gatehouse/command-line";
import { planLimits } from "@gatehouse/plan";

/** The bytes of an artifact on this machine. */
export interface OpenArtifactFile {
  readonly size: number;
  /** As many bytes as there are, and at most so many. */
  readonly read: (at: number, length: number) => Promise<Uint8Array<ArrayBuffer>>;
  readonly close: () => Promise<void>;
}

/** The same by their digest. */
export type ArtifactFile = Pick<OpenArtifactFile, "size" | "read"> & { readonly sha256: string };

const pieceBytes = 1024 * 1024;

/** Reads a file to its end, however large it is, and hands it on while it is open. */
export async function withArtifactFile<Value>(
  path: string,
  topic: string,
  work: (file: ArtifactFile) => Promise<Value>,
): Promise<Value> {
  const { size, read, close } = await openArtifactFile(path, topic);
  try {
    return await work({ sha256: await digestOf(read, size), size, read });
  } finally {
    await close();
  }
}

/** Nothing is read that is no regular file, or larger than an artifact. */
export async function openArtifactFile(path: string, topic: string): Promise<OpenArtifactFile> {
  const refuse = (why: string) => new UsageError(`FILE: ${why}`, topic);
  // Not waiting for whoever would write into a pipe of that name.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: Error) => {
    throw refuse(error.message);
  });
  try {
    const { size } = await handle.stat().then((found) => {
      if (found.isFile()) return found;
      throw refuse(`${JSON.stringify(path)} is not a regular file`);
    });
    const most = planLimits.artifactBytes;
    if (size < 1 || size > most) throw refuse(`${JSON.stringify(path)} has ${size} bytes; 1 to ${most} are expected`);
    return { size, read: (at, length) => readAt(handle, at, length), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function digestOf(read: OpenArtifactFile["read"], size: number): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < size; at += pieceBytes) hash.update(await read(at, Math.min(pieceBytes, size - at)));
  return hash.digest("hex");
}

/** A file that became shorter meanwhile gives fewer bytes; then its digest is another, and whoever has it sees that. */
async function readAt(handle: FileHandle, at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  let held = 0;
  while (held < length) {
    const { bytesRead } = await handle.read(bytes, held, length - held, at + held);
    if (bytesRead === 0) break;
    held += bytesRead;
  }
  return bytes.subarray(0, held);
}

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { fault } from "@gatehouse/contract";
import { errorCode } from "./error-code.ts";

/** Writes a file that does not exist yet, and returns when it would survive a power cut. Never writes over anything. */
export async function writeNew(file: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await openNew(file, mode);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncDirectory(dirname(file));
}

/** A new file to write into, with exactly this mode. Not through a link, wherever it leads. */
export async function openNew(file: string, mode: number): Promise<FileHandle> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const handle = await open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode).catch((cause: unknown) => {
    throw cannotWrite(file, cause);
  });
  // The umask can only have taken bits away.
  await handle.chmod(mode);
  return handle;
}

export function cannotWrite(file: string, cause: unknown): Error {
  const exists = ["EEXIST", "ENOTEMPTY", "ELOOP"].includes(errorCode(cause) ?? "");
  if (exists) return fault("cli.exists", `${file} exists already, and nothing is written over it`);
  return fault("cli.file_not_written", `${file} cannot be written`, { cause });
}

/** A new name is safe only when its directory is. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

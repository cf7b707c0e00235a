import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { systemFiles } from "./system-files.ts";

/** What tells one state of a file from another. */
export type Snapshot = Pick<BigIntStats, (typeof fields)[number]>;

/** Reads exactly `size` bytes; undefined when there are fewer or more. */
export async function readWhole(descriptor: number, size: number): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(size + 1);
  let length = 0;
  while (length < bytes.byteLength) {
    const { bytesRead } = await systemFiles.read(descriptor, bytes, length, bytes.byteLength - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length === size ? bytes.subarray(0, size) : undefined;
}

/** What is held of a file at a time. Larger pieces leave the processor's cache and are slower to hash. */
const pieceBytes = 256 * 1024;

/** SHA-256 of exactly `size` bytes; undefined when there are fewer or more. Holds one piece at a time. */
export async function hashFile(descriptor: number, size: number): Promise<string | undefined> {
  const hash = createHash("sha256");
  // Not cleared beforehand, which would cost a fifth of the hashing: only what was read into it is looked at.
  const buffer = Buffer.allocUnsafeSlow(Math.min(size + 1, pieceBytes));
  let length = 0;
  while (length <= size) {
    const most = Math.min(buffer.byteLength, size + 1 - length);
    const { bytesRead } = await systemFiles.read(descriptor, buffer, 0, most, length);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    length += bytesRead;
  }
  return length === size ? hash.digest("hex") : undefined;
}

/** Whether the file behind the descriptor is still the one that was opened: a write, a rename or a removal shows. */
export async function isUnchanged(descriptor: number, before: Snapshot): Promise<boolean> {
  const now = await systemFiles.fstat(descriptor, { bigint: true });
  return fields.every((field) => now[field] === before[field]);
}

const fields = ["dev", "ino", "size", "nlink", "mtimeNs", "ctimeNs"] as const;

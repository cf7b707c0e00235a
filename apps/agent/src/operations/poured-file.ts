import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { fault } from "@gatehouse/contract/faults";
import { isAbsent } from "@gatehouse/files";
import type { FileRights } from "./file-place.ts";

/** Bytes by their digest: there may be more of them than memory. */
export interface Measured {
  readonly sha256: string;
  readonly size: number;
}

export interface MeasuredFile extends Measured, FileRights {
  /** How many it has. */
  readonly names: number;
}

/** What a file is read from: the disk, or in tests another one. */
export interface Readable {
  /** Fewer bytes at the end, and none behind it. */
  read(at: number, length: number): Promise<Uint8Array>;
}

/** What bytes are written to, besides being hashed. */
export type WriteAt = (bytes: Uint8Array, at: number) => Promise<void>;

const pieceBytes = 1024 * 1024;

/**
 * Reads to the end, hashes what was read and hands it on: nobody can change it in between. Throws `read.limit` by what there is, and not
 * by what there was said to be: a file may grow while it is read.
 */
export async function pour(from: Readable, mostBytes: number, write?: WriteAt): Promise<Measured> {
  const hash = createHash("sha256");
  for (let size = 0; ; ) {
    const piece = await from.read(size, pieceBytes);
    if (piece.byteLength === 0) return { sha256: hash.digest("hex"), size };
    if (size + piece.byteLength > mostBytes) throw fault("read.limit", `expected at most ${mostBytes} bytes`);
    hash.update(piece);
    await write?.(piece, size);
    size += piece.byteLength;
  }
}

/** The same of exactly these bytes. Throws `artifact.digest` for any other. */
export async function pourWanted(from: Readable, wanted: Measured, write?: WriteAt): Promise<void> {
  const found = await pour(from, wanted.size, write);
  if (found.sha256 === wanted.sha256 && found.size === wanted.size) return;
  const [expected, other] = [wanted, found].map(({ size, sha256 }) => `${size} bytes with ${sha256}`);
  throw fault("artifact.digest", `expected ${expected}, found ${other}`);
}

/** Undefined when there is none. Throws `path.kind`, `read.limit` when it is too large, and `state.unreadable` when it changes meanwhile. */
export async function measureFile(name: string, mostBytes: number): Promise<MeasuredFile | undefined> {
  return withPlainFile(name, async (file) => {
    const { size, mode, uid, gid, nlink } = await file.stat();
    const poured = await pour(readerOf(file), mostBytes);
    if (poured.size !== size) throw fault("state.unreadable", "it was changed while it was read");
    return { ...poured, mode: mode & 0o7777, uid, gid, names: nlink };
  });
}

/** Nothing but a regular file is opened: a device may act when it is. Undefined when there is none. */
export async function withPlainFile<Value>(
  name: string,
  work: (file: FileHandle) => Promise<Value>,
): Promise<Value | undefined> {
  const found = await lstat(name).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
    return undefined;
  });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw fault("path.kind", "expected a regular file, found something else");
  const file = await open(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if ((await file.stat()).ino !== found.ino) throw fault("state.unreadable", "it was changed while it was read");
    return await work(file);
  } finally {
    await file.close();
  }
}

export function readerOf(file: FileHandle): Readable {
  return {
    read: async (at, length) => {
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, (await file.read(bytes, 0, length, at)).bytesRead);
    },
  };
}

/** A full disk may take a part of a piece before it says so. */
export function writerOf(file: FileHandle): WriteAt {
  return async (bytes, at) => {
    for (let done = 0; done < bytes.byteLength; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, at + done);
      done += bytesWritten;
    }
  };
}

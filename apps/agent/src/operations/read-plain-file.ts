import { createHash, createHmac } from "node:crypto";
import { type BigIntStats, constants, readlinkSync, realpathSync, type Stats } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { isAbsent } from "@gatehouse/files";
import type { StateGround } from "./host-operation.ts";

export interface PlainFile {
  /** Lower-case hexadecimal: SHA-256 of what it holds, or a MAC when it is private. */
  readonly digest: string;
  /** Others may not read it, or not enter a directory above it. */
  readonly isPrivate: boolean;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export interface PlainFileRules {
  readonly mostBytes: number;
  /** Whether the file may have a second name. What somebody else can write to under that name is no file of root's. */
  readonly isLinkedOften: boolean;
}

const pieceBytes = 1024 * 1024;

/** A regular file of the host, hashed as it is now; null when there is none. No link is followed, whoever has laid it. */
export async function readPlainFile(
  ground: Pick<StateGround, "root" | "checkTime" | "privateKey">,
  path: string,
  rules: PlainFileRules,
): Promise<PlainFile | null> {
  const opened = await openPlainFile(ground.root, path, rules);
  if (opened === null) return null;
  const { handle, found: before, isPrivate } = opened;
  try {
    const hash = isPrivate ? privateHash(ground.privateKey, path) : createHash("sha256");
    await feed(handle, hash, path, rules.mostBytes, ground.checkTime);
    const after = await handle.stat({ bigint: true });
    if (stamp(before) !== stamp(after)) throw moved(path);
    const { mode, uid, gid } = before;
    return { digest: hash.digest("hex"), isPrivate, mode: Number(mode), uid: Number(uid), gid: Number(gid) };
  } finally {
    await handle.close();
  }
}

export interface OpenedFile {
  readonly handle: FileHandle;
  readonly found: BigIntStats;
  readonly isPrivate: boolean;
}

/** Opens a regular file of the host for reading; null when there is none. No link is followed. */
export async function openPlainFile(root: string, path: string, rules: PlainFileRules): Promise<OpenedFile | null> {
  const place = join(realpathSync(root), path);
  const parents = await lookAlong(root, path);
  if (parents === null) return null;
  const handle = await openPlain(place, path);
  if (handle === null) return null;
  try {
    const found = await handle.stat({ bigint: true });
    checkKind(found, path, rules);
    // A directory may have become a link since it was looked at: the kernel knows what was opened.
    if (readlinkSync(`/proc/self/fd/${handle.fd}`) !== place) throw moved(path);
    return { handle, found, isPrivate: parents.isPrivate || (found.mode & 0o004n) === 0n };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Every part of the path; null when one is not there. Nothing but a regular file is opened: a device may act when it is. */
async function lookAlong(root: string, path: string): Promise<{ readonly isPrivate: boolean } | null> {
  const names = path.split("/").slice(1);
  let isPrivate = false;
  for (let count = 1; count <= names.length; count += 1) {
    const part = `/${names.slice(0, count).join("/")}`;
    const found = await findAt(join(root, part));
    if (found === undefined) return null;
    if (found.isSymbolicLink()) throw fault("path.symlink", `${path}: ${part} is a link`);
    const isLast = count === names.length;
    if (isLast ? !found.isFile() : !found.isDirectory()) {
      throw fault("path.kind", `${path}: expected ${part} to be a ${isLast ? "regular file" : "directory"}`);
    }
    if (!isLast && (found.mode & 0o001) === 0) isPrivate = true;
  }
  return { isPrivate };
}

/** Waited for, as all that is asked of a disk here: one that does not answer stops nothing else. */
async function findAt(place: string): Promise<Stats | undefined> {
  try {
    return await lstat(place);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function openPlain(place: string, path: string): Promise<FileHandle | null> {
  try {
    return await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    if (code === "ELOOP") throw fault("path.symlink", `${path} is a link`, { cause });
    throw fault("state.unreadable", `${path} cannot be opened: ${code ?? "unknown"}`, { cause });
  }
}

function checkKind(found: BigIntStats, path: string, { mostBytes, isLinkedOften }: PlainFileRules): void {
  if (!found.isFile()) throw fault("path.kind", `${path}: expected a regular file`);
  if (!isLinkedOften && found.nlink !== 1n) {
    throw fault("path.kind", `${path}: expected a file with one name, found ${found.nlink}`);
  }
  if (found.size > mostBytes) throw tooLarge(path, mostBytes);
}

async function feed(
  handle: FileHandle,
  hash: { update(bytes: Uint8Array): unknown },
  path: string,
  mostBytes: number,
  checkTime: () => void,
): Promise<void> {
  const piece = new Uint8Array(pieceBytes);
  // By what is read and not by what it was said to be: a file may grow while it is read.
  for (let total = 0; ; ) {
    checkTime();
    const { bytesRead } = await handle.read(piece, 0, pieceBytes);
    if (bytesRead === 0) return;
    total += bytesRead;
    if (total > mostBytes) throw tooLarge(path, mostBytes);
    hash.update(piece.subarray(0, bytesRead));
  }
}

/** The path is in it: two files that hold the same secret are not seen to do so. */
function privateHash(key: Uint8Array, path: string) {
  return createHmac("sha256", key).update(`${path}\0`);
}

function stamp({ size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs}`;
}

function moved(path: string): Error {
  return fault("state.unreadable", `${path} was changed while it was read`);
}

function tooLarge(path: string, mostBytes: number): Error {
  return fault("read.limit", `${path}: expected at most ${mostBytes} bytes`);
}

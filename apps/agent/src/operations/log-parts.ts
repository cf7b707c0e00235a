import { createHash } from "node:crypto";
import { type BigIntStats, realpathSync } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isFault } from "@gatehouse/contract/faults";
import { isAbsent } from "@gatehouse/files";
import type { FileLogPlace } from "./log-place.ts";
import { type OpenedFile, openPlainFile } from "./read-plain-file.ts";

/** A file to be read of a log, from there on. */
export interface LogPart {
  readonly path: string;
  readonly inode: bigint;
  readonly offset: number;
  readonly isInLine: boolean;
}

export interface LogParts {
  /** In the order in which they were written; the last one may grow. */
  readonly parts: readonly LogPart[];
  /** Whether there was something between that is gone, or may have been. */
  readonly isLost: boolean;
}

/** A file with a second name may be one that root has not listed. */
const rules = { mostBytes: Number.POSITIVE_INFINITY, isLinkedOften: false };
/** Files of one directory that are looked at to find the earlier ones of a log. */
const mostNames = 10_000;
const headBytes = 256;

/**
 * What is to be read of a log since a place: the rest of the file that was read last, wherever rotation has moved it in its directory,
 * those that came and went since, and the one that has the name now.
 */
export async function findLogParts(root: string, path: string, place: FileLogPlace): Promise<LogParts> {
  const now = await lookAt(root, path, place);
  if (now !== undefined && now.found.ino === place.inode) {
    // Another beginning, or less than was read: emptied in its place, and nobody knows what was in it last.
    if (!now.isSame) return { parts: [partOf(path, now.found.ino)], isLost: true };
    return { parts: [{ ...partOf(path, place.inode), offset: place.offset, isInLine: place.isInLine }], isLost: false };
  }
  const earlier = await listEarlier(root, path);
  // An empty file has nothing to say yet, and whoever writes may still have the one before it open.
  const last = now === undefined || now.found.size === 0n ? [] : [partOf(path, now.found.ino)];
  const at = place.inode === 0n ? -1 : await findEarlier(root, earlier, place);
  const first = earlier[at];
  if (first === undefined) {
    const since = BigInt(place.at) * 1_000_000n;
    const younger = earlier.filter(({ found }) => found.mtimeNs > since);
    const parts = [...younger.flatMap(readable), ...last];
    return {
      parts: parts.length === 0 && now !== undefined ? [partOf(path, now.found.ino)] : parts,
      isLost: place.inode !== 0n || younger.some(({ isPacked }) => isPacked),
    };
  }
  const younger = earlier.slice(at + 1);
  const rest = { ...partOf(first.path, place.inode), offset: place.offset, isInLine: place.isInLine };
  return {
    parts: [rest, ...younger.flatMap(readable), ...last],
    isLost: younger.some(({ isPacked }) => isPacked),
  };
}

/** Opens it as every log; undefined when it is not there, or is another file by now. */
export async function openLogPart(root: string, { path, inode }: LogPart): Promise<OpenedFile | undefined> {
  const opened = await openPlainFile(root, path, rules);
  if (opened === null || opened.found.ino === inode) return opened ?? undefined;
  await opened.handle.close();
  return undefined;
}

/** The file that has the name now; undefined where none has. */
export async function openLog(root: string, path: string): Promise<OpenedFile | undefined> {
  return (await openPlainFile(root, path, rules)) ?? undefined;
}

/** A place in an open file. */
export async function placeIn(
  { handle, found }: OpenedFile,
  { offset, isInLine, at }: Pick<FileLogPlace, "offset" | "isInLine" | "at">,
): Promise<FileLogPlace> {
  const most = Math.min(headBytes, Number(found.size));
  const { head, bytes } = await headOf(handle, most);
  return { inode: found.ino, offset, isInLine, headBytes: bytes, head, at };
}

/** Where there is no file. */
export function placeOfNone(at: number): FileLogPlace {
  return { inode: 0n, offset: 0, isInLine: false, headBytes: 0, head: digestOf(new Uint8Array()), at };
}

interface Earlier {
  readonly path: string;
  readonly found: BigIntStats;
  /** Compressed: what is in it is no text. */
  readonly isPacked: boolean;
}

function partOf(path: string, inode: bigint): LogPart {
  return { path, inode, offset: 0, isInLine: false };
}

function readable({ path, found, isPacked }: Earlier): LogPart[] {
  return isPacked || found.size === 0n ? [] : [partOf(path, found.ino)];
}

async function lookAt(root: string, path: string, place: FileLogPlace) {
  const opened = await openPlainFile(root, path, rules);
  if (opened === null) return undefined;
  try {
    return { found: opened.found, isSame: await isPlaceIn(opened, place) };
  } finally {
    await opened.handle.close();
  }
}

async function isPlaceIn({ handle, found }: OpenedFile, place: FileLogPlace): Promise<boolean> {
  if (found.ino !== place.inode || found.size < BigInt(place.offset)) return false;
  const { head, bytes } = await headOf(handle, place.headBytes);
  return bytes === place.headBytes && head === place.head;
}

async function headOf(handle: OpenedFile["handle"], most: number): Promise<{ head: string; bytes: number }> {
  const bytes = new Uint8Array(most);
  const { bytesRead } = await handle.read(bytes, 0, most, 0);
  return { head: digestOf(bytes.subarray(0, bytesRead)), bytes: bytesRead };
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

/** Which of the earlier files it is; -1 for none. What is no plain file of one name is none of the log's. */
async function findEarlier(root: string, earlier: readonly Earlier[], place: FileLogPlace): Promise<number> {
  const at = earlier.findIndex(({ found, isPacked }) => !isPacked && found.ino === place.inode);
  const one = earlier[at];
  if (one === undefined) return -1;
  try {
    return (await lookAt(root, one.path, place))?.isSame === true ? at : -1;
  } catch (error) {
    if (!isFault(error)) throw error;
    return -1;
  }
}

/**
 * The earlier files of a log, the oldest first. Their names are those that rotation gives and no others: a place that somebody has made
 * up must not lead to a file that root did not mean.
 */
async function listEarlier(root: string, path: string): Promise<Earlier[]> {
  const directory = dirname(path);
  const names = await listNames(join(realpathSync(root), directory), basename(path));
  const found = await Promise.all(names.map((name) => lookAtEarlier(root, join(directory, name))));
  return found.flatMap((each) => each ?? []).toSorted(byAge);
}

async function lookAtEarlier(root: string, path: string): Promise<Earlier | undefined> {
  const isPacked = isPackedName(path);
  try {
    const found = await lstat(join(realpathSync(root), path), { bigint: true });
    return found.isFile() && found.nlink === 1n ? { path, found, isPacked } : undefined;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function listNames(directory: string, name: string): Promise<string[]> {
  const names: string[] = [];
  try {
    let count = 0;
    for await (const entry of await opendir(directory)) {
      count += 1;
      if (count > mostNames) break;
      if (entry.name.startsWith(name) && isEarlierName(entry.name.slice(name.length))) names.push(entry.name);
    }
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  return names;
}

const packings = [".gz", ".xz", ".bz2", ".zst", ".lz4", ".Z"];

function isPackedName(name: string): boolean {
  return packings.some((end) => name.endsWith(end));
}

/** `.1`, `-20260101`, `.2026-01-01_12`, `.old`. */
function isEarlierName(end: string): boolean {
  const packing = packings.find((each) => end.endsWith(each)) ?? "";
  return /^[.-](?:old|bak|\d[\dT_.:-]{0,39})$/.test(end.slice(0, end.length - packing.length));
}

/** By when they were written last; in the same moment by name: the higher a number the older, the lower a date. */
function byAge(one: Earlier, other: Earlier): number {
  if (one.found.mtimeNs !== other.found.mtimeNs) return one.found.mtimeNs < other.found.mtimeNs ? -1 : 1;
  const [first, second] = [numberOf(one.path), numberOf(other.path)];
  if (first !== undefined && second !== undefined) return second - first;
  return one.path < other.path ? -1 : 1;
}

function numberOf(path: string): number | undefined {
  const found = /\.(\d{1,4})(?:\.[A-Za-z]\w{0,2})?$/.exec(path)?.[1];
  return found === undefined ? undefined : Number(found);
}

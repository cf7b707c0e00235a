import { isFault } from "@gatehouse/contract/faults";
import { isNamedLater } from "./earlier-log-names.ts";
import { type EarlierLog, listEarlierLogs } from "./earlier-logs.ts";
import { findCommonBytes, type Likeness, likenessOf } from "./log-head.ts";
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

/**
 * What is to be read of a log since a place: the rest of the file that was read last, wherever rotation has moved it in its directory,
 * those that came and went since, and the one that has the name now. Nothing that was read, or was there before root said that it may
 * be, is begun anew because somebody has copied it.
 */
export async function findLogParts(root: string, path: string, place: FileLogPlace): Promise<LogParts> {
  const now = await lookAt(root, path, place);
  if (now !== undefined && now.found.ino === place.inode) {
    // With another beginning it was emptied in its place, and nobody knows what was in it last.
    const part = goOn(partOf(path, place.inode), place, now.likeness) ?? partOf(path, place.inode);
    return { parts: [part], isLost: now.likeness.t !== "whole" };
  }
  const earlier = await listEarlierLogs(root, path);
  // An empty file has nothing to say yet, and whoever writes may still have the one before it open.
  const last = now === undefined || now.found.size === 0n ? [] : [partOf(path, now.found.ino)];
  const own = await findOwn(root, earlier, place);
  if (own !== undefined) return partsBehind(root, own, earlier, last);
  const since = BigInt(place.at) * 1_000_000n;
  const younger = earlier.filter(({ found }) => found.mtimeNs > since);
  // One that was there before is of before, though somebody has written to it since. Not every file system knows when that was.
  const isNew = ({ found }: EarlierLog) => found.birthtimeNs === 0n || found.birthtimeNs > since;
  const candidates = younger.filter((each) => each.kind === "behind" && isNew(each)).flatMap(readable);
  const found = await partsWithout(root, place, [...candidates, ...last], path);
  // Of a name that people give to copies as well nobody can tell: it is not read, and may have been the log.
  const isUnread = younger.some(({ kind, isPacked }) => isPacked || (kind !== "behind" && place.inode === 0n));
  const isEmpty = found.parts.length === 0 && now !== undefined;
  return { parts: isEmpty ? [partOf(path, now.found.ino)] : found.parts, isLost: found.isLost || isUnread };
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

/** The file that was read last, under a name that rotation has given it. */
interface Own {
  readonly file: EarlierLog;
  readonly part: LogPart;
  readonly isShorter: boolean;
}

/** What is no plain file of one name is none of the log's. */
async function findOwn(root: string, earlier: readonly EarlierLog[], place: FileLogPlace): Promise<Own | undefined> {
  const file = earlier.find(({ found, isPacked }) => !isPacked && found.ino === place.inode);
  if (file === undefined || place.inode === 0n) return undefined;
  const likeness = await likenessAt(root, file.path, place);
  const part = goOn(partOf(file.path, place.inode), place, likeness);
  return part === undefined ? undefined : { file, part, isShorter: likeness.t === "shorter" };
}

/** The rest of the own file, and what came behind it. */
async function partsBehind(
  root: string,
  { file, part, isShorter }: Own,
  earlier: readonly EarlierLog[],
  last: readonly LogPart[],
): Promise<LogParts> {
  // A date before the extension may also be what a program calls its other logs: it counts where this log got such a name itself.
  const kinds = file.kind === "within" ? ["behind", "within"] : ["behind"];
  const younger = earlier.slice(earlier.indexOf(file) + 1).filter(({ kind }) => kinds.includes(kind));
  // What was unpacked or touched is the newest by its time, and by its name it is not.
  const isLater = ({ kind, path }: EarlierLog) => kind !== file.kind || isNamedLater(path, file.path);
  const parts = [part];
  let isMissing = younger.some((each) => each.isPacked && isLater(each));
  for (const each of younger) {
    for (const one of readable(each)) {
      const offset = await copiedBytes(root, part, one);
      if (BigInt(offset) >= each.found.size) continue;
      if (isLater(each)) parts.push({ ...one, offset });
      // Some programs count upwards.
      else isMissing = true;
    }
  }
  for (const each of last) {
    // A log whose lines are all the same begins as the one before it: it is a copy only when it has all that was read.
    const offset = await copiedBytes(root, part, each);
    parts.push({ ...each, offset: offset >= part.offset ? offset : 0 });
  }
  // Said when reading goes on behind it, and so once.
  return { parts, isLost: isShorter || (isMissing && parts.length > 1) };
}

/** The file that was read last is gone. One that is like it is a copy, and is gone on with: it has no line that is not known up to there. */
async function partsWithout(
  root: string,
  place: FileLogPlace,
  candidates: readonly LogPart[],
  path: string,
): Promise<LogParts> {
  const others: LogPart[] = [];
  const copies: { readonly part: LogPart; readonly t: Likeness["t"] }[] = [];
  for (const each of candidates) {
    // A place in an empty file is like every file.
    const likeness: Likeness = place.headBytes === 0 ? { t: "other" } : await likenessAt(root, each.path, place);
    const part = goOn(each, place, likeness);
    if (part === undefined) others.push(each);
    else copies.push({ part, t: likeness.t });
  }
  const current = copies.find(({ part }) => part.path === path);
  // Edited, or brought back, under its own name: then there was no rotation, and nothing came between.
  if (current !== undefined) return { parts: [current.part], isLost: current.t === "shorter" };
  const copy = copies.findLast(({ t }) => t === "whole");
  return { parts: [...(copy === undefined ? [] : [copy.part]), ...others], isLost: place.inode !== 0n };
}

function goOn(part: LogPart, { offset, isInLine }: FileLogPlace, likeness: Likeness): LogPart | undefined {
  if (likeness.t === "other") return undefined;
  const from = likeness.t === "whole" ? { offset, isInLine } : likeness;
  return { ...part, offset: from.offset, isInLine: from.isInLine };
}

function partOf(path: string, inode: bigint): LogPart {
  return { path, inode, offset: 0, isInLine: false };
}

function readable({ path, found, isPacked }: EarlierLog): LogPart[] {
  return isPacked || found.size === 0n ? [] : [partOf(path, found.ino)];
}

async function lookAt(root: string, path: string, place: FileLogPlace) {
  const opened = await openPlainFile(root, path, rules);
  if (opened === null) return undefined;
  try {
    return { found: opened.found, likeness: await likenessOf(opened, place) };
  } finally {
    await opened.handle.close();
  }
}

async function likenessAt(root: string, path: string, place: FileLogPlace): Promise<Likeness> {
  try {
    return (await lookAt(root, path, place))?.likeness ?? { t: "other" };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { t: "other" };
  }
}

/** How much of a file is a copy of another one: what of it is behind that is its own. */
async function copiedBytes(root: string, own: LogPart, other: LogPart): Promise<number> {
  const first = await openLogPart(root, own);
  if (first === undefined) return 0;
  try {
    const second = await openLogPart(root, other);
    if (second === undefined) return 0;
    try {
      return await findCommonBytes(first, second);
    } finally {
      await second.handle.close();
    }
  } finally {
    await first.handle.close();
  }
}

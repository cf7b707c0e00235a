import { createHash } from "node:crypto";
import { findLogEnd } from "./log-end.ts";
import type { FileLogPlace } from "./log-place.ts";
import type { OpenedFile } from "./read-plain-file.ts";

const headBytes = 256;

/** What a file is to a place: read up to there, now shorter than what was read, or another one. */
export type Likeness =
  | { readonly t: "whole" }
  /** Where it ends now, behind its last whole line. */
  | { readonly t: "shorter"; readonly offset: number; readonly isInLine: boolean }
  | { readonly t: "other" };

/**
 * By its first bytes, whatever its number: a copy is like the file that was read, and so is what a power cut has left of it. A file that
 * has fewer bytes than the digest is of is another one: one that was emptied begins like that. Of the old one those few would be sent again.
 */
export async function likenessOf(opened: OpenedFile, place: FileLogPlace): Promise<Likeness> {
  const { handle, found } = opened;
  const { head, bytes } = await headOf(handle, place.headBytes);
  if (bytes !== place.headBytes || head !== place.head) return { t: "other" };
  if (found.size >= BigInt(place.offset)) return { t: "whole" };
  if (bytes === 0) return { t: "other" };
  const end = await findLogEnd(opened, 0);
  // All that is left is a piece of its first line, which was sent.
  if (end.offset === 0) return { t: "shorter", offset: Number(found.size), isInLine: true };
  return { t: "shorter", ...end };
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

/** How many bytes two files begin with that are the same, as far as the first and the last of them show it: all of the shorter one, or none. */
export async function findCommonBytes(one: OpenedFile, other: OpenedFile): Promise<number> {
  const common = Math.min(Number(one.found.size), Number(other.found.size));
  for (const from of [0, Math.max(0, common - headBytes)]) {
    const most = Math.min(headBytes, common);
    const [first, second] = await Promise.all([one, other].map(({ handle }) => bytesAt(handle, from, most)));
    if (first === undefined || second === undefined || !first.equals(second)) return 0;
  }
  return common;
}

async function headOf(handle: OpenedFile["handle"], most: number): Promise<{ head: string; bytes: number }> {
  const bytes = await bytesAt(handle, 0, most);
  return { head: digestOf(bytes), bytes: bytes.byteLength };
}

async function bytesAt(handle: OpenedFile["handle"], from: number, most: number): Promise<Buffer> {
  const bytes = Buffer.alloc(most);
  const { bytesRead } = await handle.read(bytes, 0, most, from);
  return bytes.subarray(0, bytesRead);
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

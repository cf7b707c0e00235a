import { cutLines } from "./cut-lines.ts";
import { placeIn, placeOfNone } from "./log-head.ts";
import { findLogParts, type LogPart, openLog, openLogPart } from "./log-parts.ts";
import { type FileLogPlace, writeFileLogPlace } from "./log-place.ts";
import { findLogEnd } from "./log-end.ts";
import type { OpenedFile } from "./read-plain-file.ts";
import { type AnswerRoom, type ReadLog, sentLogLimits } from "./sent-logs.ts";

export interface FileLogGround {
  readonly root: string;
  readonly now: number;
}

/** Where a log is followed from when nobody has said where: its end, so that nothing of before is sent. */
export async function beginFileLog({ root, now }: FileLogGround, path: string): Promise<ReadLog> {
  const opened = await openLog(root, path);
  if (opened === undefined) return { place: writeFileLogPlace(placeOfNone(now)), isMore: false };
  try {
    const end = await findLogEnd(opened, 0);
    return { place: writeFileLogPlace(await placeIn(opened, { ...end, at: now })), isMore: false };
  } finally {
    await opened.handle.close();
  }
}

/** The lines of a file since a place, into the room there is. A place at which there is nothing new stays letter for letter. */
export async function readFileLog(
  { root, now }: FileLogGround,
  { path, s, place }: { readonly path: string; readonly s: number; readonly place: FileLogPlace },
  room: AnswerRoom,
): Promise<ReadLog> {
  const { parts, isLost } = await findLogParts(root, path, place);
  const lost = isLost ? { lost: { lines: null, from: Math.min(place.at, now), to: now } } : {};
  let next = parts.length === 0 && isLost ? placeOfNone(now) : place;
  for (const [at, part] of parts.entries()) {
    const opened = await openLogPart(root, part);
    // Moved on since it was looked for: the next question finds it.
    if (opened === undefined) return { place: writeFileLogPlace(next), isMore: true, ...lost };
    try {
      const read = await readPart(opened, part, { isFinal: at < parts.length - 1, now, s, room });
      if (read.isMoved || isLost || part.inode !== next.inode) next = await placeIn(opened, { ...read, at: now });
      if (read.isMore) return { place: writeFileLogPlace(next), isMore: true, ...lost };
    } finally {
      await opened.handle.close();
    }
  }
  return { place: writeFileLogPlace(next), isMore: false, ...lost };
}

interface PartBounds {
  readonly isFinal: boolean;
  readonly now: number;
  readonly s: number;
  readonly room: AnswerRoom;
}

async function readPart({ handle, found }: OpenedFile, part: LogPart, { isFinal, now, s, room }: PartBounds) {
  const unread = Math.max(0, Number(found.size) - part.offset);
  const wanted = Math.min(unread, room.unread.bytes);
  const bytes = new Uint8Array(wanted);
  const { bytesRead } = await handle.read(bytes, 0, wanted, part.offset);
  room.unread.bytes -= bytesRead;
  const isAll = bytesRead === unread;
  // A line has no time of its own here: it was there when the file was written last, at the latest.
  const at = Math.max(0, Math.min(now, Math.floor(Number(found.mtimeMs))));
  const cut = cutLines(bytes.subarray(0, bytesRead), { isInLine: part.isInLine, isFinal: isFinal && isAll }, (text) =>
    room.add({ s, at, level: null, text }),
  );
  return {
    offset: part.offset + cut.taken,
    isInLine: cut.isInLine,
    isMoved: cut.taken > 0,
    isMore: cut.isFull || !isAll,
  };
}

/** Counts what is passed over between a place and the end, and says how far that is. */
export async function skipFileLog(
  { root, now }: FileLogGround,
  { path, place }: { readonly path: string; readonly place: FileLogPlace },
): Promise<ReadLog> {
  const { parts, isLost } = await findLogParts(root, path, place);
  let next = parts.length === 0 && isLost ? placeOfNone(now) : place;
  let left: number = sentLogLimits.passedBytes;
  let lines: number | null = isLost ? null : 0;
  for (const [at, part] of parts.entries()) {
    const opened = await openLogPart(root, part);
    if (opened === undefined) break;
    try {
      const size = Number(opened.found.size);
      const isLast = at === parts.length - 1;
      const end = isLast ? await findLogEnd(opened, part.offset, part.isInLine) : { offset: size, isInLine: false };
      const bytes = end.offset - part.offset;
      left -= bytes;
      const counted = left < 0 ? null : await countLines(opened, part, end.offset);
      lines = lines === null || counted === null ? null : lines + counted;
      if (bytes > 0 || part.inode !== next.inode || isLost) next = await placeIn(opened, { ...end, at: now });
    } finally {
      await opened.handle.close();
    }
  }
  const lost = lines === 0 ? {} : { lost: { lines, from: Math.min(place.at, now), to: now } };
  return { place: writeFileLogPlace(next), isMore: false, ...lost };
}

const pieceBytes = 256 * 1024;

/** Lines that begin between the two: the rest of one that was cut is none, and one without its end is one. */
async function countLines({ handle }: OpenedFile, { offset, isInLine }: LogPart, end: number): Promise<number> {
  let [count, last, at] = [0, isInLine ? 0 : 0x0a, offset];
  const piece = new Uint8Array(Math.min(pieceBytes, end - offset));
  while (at < end) {
    const { bytesRead } = await handle.read(piece, 0, Math.min(piece.byteLength, end - at), at);
    if (bytesRead === 0) break;
    const bytes = piece.subarray(0, bytesRead);
    for (let feed = bytes.indexOf(0x0a); feed !== -1; feed = bytes.indexOf(0x0a, feed + 1)) count += 1;
    last = bytes.at(-1) ?? last;
    at += bytesRead;
  }
  const isOpen = last !== 0x0a;
  return count + (isOpen ? 1 : 0) - (isInLine ? 1 : 0);
}

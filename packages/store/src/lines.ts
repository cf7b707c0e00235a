import type { VfsFile } from "@gatehouse/files";

export interface Line {
  /** Without its line feed. A view: copy it to keep it. */
  readonly line: Buffer;
  /** Where it begins in the file. */
  readonly at: number;
  /** False for bytes at the end that no line feed follows. */
  readonly complete: boolean;
}

const chunkBytes = 1024 * 1024;

/** The lines of a file from one offset to another, a chunk's worth at a time: the event loop gets a turn after each. */
export async function* readLines(file: VfsFile, from: number, to: number): AsyncGenerator<readonly Line[]> {
  let carry: Buffer = Buffer.alloc(0);
  let carryAt = from;
  let at = from;
  while (at < to) {
    const read = await file.read(at, Math.min(chunkBytes, to - at));
    if (read.length === 0) break;
    const fresh = Buffer.from(read.buffer, read.byteOffset, read.length);
    const bytes = carry.length === 0 ? fresh : Buffer.concat([carry, fresh]);
    at += read.length;
    // Only the fresh part can hold the first line feed: a long line is not searched again and again.
    let feed = bytes.indexOf(10, carry.length);
    let start = 0;
    const lines: Line[] = [];
    while (feed !== -1) {
      lines.push({ line: bytes.subarray(start, feed), at: carryAt + start, complete: true });
      start = feed + 1;
      feed = bytes.indexOf(10, start);
    }
    carry = bytes.subarray(start);
    carryAt += start;
    yield lines;
  }
  if (carry.length > 0) yield [{ line: carry, at: carryAt, complete: false }];
}

/** Whole lines of a file as pieces of about a megabyte, for those who only pass bytes on. */
export async function* readPieces(file: VfsFile, from: number, to: number): AsyncGenerator<Buffer> {
  let at = from;
  let length = chunkBytes;
  while (at < to) {
    const wanted = Math.min(length, to - at);
    const read = await file.read(at, wanted);
    const bytes = Buffer.from(read.buffer, read.byteOffset, read.length);
    const end = at + bytes.length >= to ? bytes.length : bytes.lastIndexOf(10) + 1;
    if (end === 0) {
      if (bytes.length < wanted) return; // the file ends inside a line, or before it
      length *= 2; // one line longer than the piece
      continue;
    }
    yield bytes.subarray(0, end);
    at += end;
    length = chunkBytes;
  }
}

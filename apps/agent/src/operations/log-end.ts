import type { OpenedFile } from "./read-plain-file.ts";
import { sentLogLimits } from "./sent-logs.ts";

/** The end of a log, not before `from`: behind its last whole line, so that one that is being written is sent whole. */
export async function findLogEnd(
  { handle, found }: OpenedFile,
  from: number,
  isInLine = false,
): Promise<{ readonly offset: number; readonly isInLine: boolean }> {
  const size = Number(found.size);
  const begin = Math.max(from, size - sentLogLimits.lineBytes);
  const bytes = new Uint8Array(Math.max(0, size - begin));
  const { bytesRead } = await handle.read(bytes, 0, bytes.byteLength, begin);
  const feed = bytes.subarray(0, bytesRead).lastIndexOf(0x0a);
  if (feed !== -1) return { offset: begin + feed + 1, isInLine: false };
  // Either all of it is the beginning of one line, or the end of one that is longer than a line may be.
  if (bytesRead < sentLogLimits.lineBytes) return { offset: from, isInLine };
  return { offset: begin + bytesRead, isInLine: true };
}

import { isSameBytes, readNumber, u8, u32, u64 } from "@gatehouse/keys/frame";
import { channelLimits } from "./limits.ts";

/** Bytes of a part that the agent has pulled: the only binary message after the welcome. */
export interface PulledPiece {
  readonly request: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

const kind = u8(1);

/** Kind, request, offset. */
export const pieceHeadLength = 1 + 4 + 8;

export function writePiece({ request, offset, bytes }: PulledPiece): Uint8Array {
  const written = new Uint8Array(pieceHeadLength + bytes.byteLength);
  written.set(kind, 0);
  written.set(u32(request), 1);
  written.set(u64(offset), 5);
  written.set(bytes, pieceHeadLength);
  return written;
}

/** Undefined for bytes that are no piece, and for one that is empty or larger than any may be. */
export function readPiece(message: Uint8Array): PulledPiece | undefined {
  const bytes = message.subarray(pieceHeadLength);
  const isSized = bytes.byteLength > 0 && bytes.byteLength <= channelLimits.pullBytes;
  if (!isSized || !isSameBytes(message.subarray(0, 1), kind)) return undefined;
  const request = readNumber(message.subarray(1, 5));
  const offset = readNumber(message.subarray(5, pieceHeadLength));
  return request === undefined || offset === undefined ? undefined : { request, offset, bytes };
}

import { expect, test } from "vitest";
import { channelLimits } from "./limits.ts";
import { pieceHeadLength, readPiece, writePiece } from "./pulled-piece.ts";

const piece = { request: 7, offset: 2 ** 33, bytes: Uint8Array.of(1, 2, 3) };

test("a piece says whose answer it is and where its bytes stand", () => {
  expect(writePiece(piece).toHex()).toBe("01000000070000000200000000010203");
  expect(readPiece(writePiece(piece))).toEqual(piece);
  expect(readPiece(writePiece({ ...piece, bytes: new Uint8Array(channelLimits.pullBytes) }))?.offset).toBe(2 ** 33);
});

test("other bytes are no piece: another kind, nothing in it, too much, an offset that no file has", () => {
  const written = writePiece(piece);
  expect(readPiece(Uint8Array.of(2, ...written.subarray(1)))).toBeUndefined();
  for (let length = 0; length <= pieceHeadLength; length += 1) {
    expect(readPiece(written.subarray(0, length))).toBeUndefined();
  }
  expect(readPiece(writePiece({ ...piece, bytes: new Uint8Array(channelLimits.pullBytes + 1) }))).toBeUndefined();
  expect(readPiece(written.map((byte, index) => (index >= 5 && index < 13 ? 255 : byte)))).toBeUndefined();
});

import { expect, test } from "vitest";
import { frame, joinSigned, readFrame, readNumber, readText, splitSigned, u8, u16, u32, u64 } from "./frame.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("a frame is read back by its domain and its lengths", () => {
  const framed = frame("words-v1", u16(7), bytes("text"), new Uint8Array());
  expect(
    readFrame(framed, "words-v1", [2, "any", [0, 32]])?.map((field) => Buffer.from(field).toString("hex")),
  ).toEqual(["0007", "74657874", ""]);
});

test("a frame at an offset of a larger buffer is read as any other", () => {
  const framed = frame("words-v1", u32(9));
  const padded = new Uint8Array([1, 2, 3, ...framed]).subarray(3);
  expect(readNumber(readFrame(padded, "words-v1", [4])?.[0] ?? new Uint8Array())).toBe(9);
});

test.each([
  ["another domain", frame("words-v2", u16(7))],
  ["a field more", frame("words-v1", u16(7), u16(7))],
  ["a field less", frame("words-v1")],
  ["a field of another length", frame("words-v1", u32(7))],
  ["a byte behind", new Uint8Array([...frame("words-v1", u16(7)), 0])],
  ["a byte less", frame("words-v1", u16(7)).subarray(0, -1)],
  ["a length beyond the end", new Uint8Array([0, 0, 0, 2, 255, 255, 255, 255, 1])],
  ["a length cut off", new Uint8Array([0, 0, 0, 2, 0, 0])],
  ["no count", new Uint8Array([0, 0])],
])("%s is no frame", (_, framed) => {
  expect(readFrame(framed, "words-v1", [2])).toBeUndefined();
});

test("fields of every length are told apart: no two lists give the same bytes", () => {
  const all = [frame("a", bytes("bc")), frame("ab", bytes("c")), frame("a", bytes("b"), bytes("c")), frame("abc")];
  expect(new Set(all.map((each) => Buffer.from(each).toString("hex"))).size).toBe(4);
});

test("a signed message has exactly its signatures behind its frame", () => {
  const framed = frame("words-v1", u16(7));
  const signed = joinSigned(framed, new Uint8Array(64).fill(1), new Uint8Array(32).fill(2));
  const split = splitSigned(signed, [64, 32]);
  expect(split?.framed).toEqual(framed);
  expect(split?.signatures.map(({ byteLength }) => byteLength)).toEqual([64, 32]);
  expect(splitSigned(signed, [64])).toBeUndefined();
  expect(splitSigned(signed.subarray(0, -1), [64, 32])).toBeUndefined();
  expect(splitSigned(new Uint8Array([0, 0]), [])).toBeUndefined();
});

test("numbers are big-endian and whole, and none is above 2^53-1", () => {
  expect([...u64(2 ** 40 + 1)]).toEqual([0, 0, 1, 0, 0, 0, 0, 1]);
  expect(readNumber(u64(Number.MAX_SAFE_INTEGER))).toBe(Number.MAX_SAFE_INTEGER);
  expect(readNumber(new Uint8Array(8).fill(255))).toBeUndefined();
  expect([...u8(255)]).toEqual([255]);
  for (const write of [() => u8(256), () => u16(65_536), () => u16(-1), () => u32(0.5), () => u64(2 ** 53)]) {
    expect(write).toThrow(RangeError);
  }
});

test("a text that is not UTF-8 is none", () => {
  expect(readText(bytes("é"))).toBe("é");
  expect(readText(new Uint8Array([0xff]))).toBeUndefined();
});

import { expect, test } from "vitest";
import { readLine } from "./ask-person.ts";

/** A descriptor that gives these bytes, and then its end. */
function readerOf(text: string) {
  const bytes = [...Buffer.from(text)];
  return (byte: Uint8Array) => {
    const next = bytes.shift();
    if (next === undefined) return 0;
    byte[0] = next;
    return 1;
  };
}

test("a line is what stands before its end, and the next line is left alone", () => {
  const read = readerOf("naïve\nnext\n");
  expect([readLine(read), readLine(read), readLine(read)]).toEqual(["naïve", "next", undefined]);
});

test("what ends without a line, or does not end, is none", () => {
  expect(readLine(readerOf("abc"))).toBeUndefined();
  expect(readLine(readerOf("x".repeat(2_000)))).toBeUndefined();
});

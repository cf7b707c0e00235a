import { hostLogLimits } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { cutLines } from "./cut-lines.ts";
import { sentLogLimits } from "./sent-logs.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function cut(text: string | Uint8Array, { isInLine = false, isFinal = false, most = 100 } = {}) {
  const texts: string[] = [];
  const all = typeof text === "string" ? bytes(text) : text;
  const result = cutLines(all, { isInLine, isFinal }, (line) => texts.length < most && texts.push(line) > 0);
  return { texts, ...result };
}

test("lines are cut at line feeds, and one without its end waits", () => {
  expect(cut("one\n\ntwo\r\nthr")).toEqual({ texts: ["one", "", "two"], taken: 10, isInLine: false, isFull: false });
  expect(cut("thr", { isFinal: true })).toMatchObject({ texts: ["thr"], taken: 3, isInLine: false });
  expect(cut("")).toMatchObject({ texts: [], taken: 0 });
});

test("what finds no room stays where it is", () => {
  expect(cut("one\ntwo\n", { most: 1 })).toEqual({ texts: ["one"], taken: 4, isInLine: false, isFull: true });
  expect(cut("one\n", { most: 1 })).toMatchObject({ taken: 4, isFull: false });
});

test("a line that is too long before its end has come is sent cut, and the rest of it is passed over", () => {
  const long = "x".repeat(sentLogLimits.lineBytes);
  const shown = `${"x".repeat(hostLogLimits.lineChars - 1)}…`;
  expect(cut(long.slice(1))).toMatchObject({ texts: [], taken: 0 });
  expect(cut(long)).toEqual({ texts: [shown], taken: long.length, isInLine: true, isFull: false });
  expect(cut(long, { isInLine: true })).toMatchObject({ texts: [], taken: long.length, isInLine: true });
  expect(cut("rest\nnext\n", { isInLine: true })).toMatchObject({ texts: ["next"], taken: 10, isInLine: false });
  expect(cut(`${long}\nnext\n`)).toMatchObject({ texts: [shown, "next"], isInLine: false });
});

test("bytes that are no text are shown as such, and a mark of order is not hidden", () => {
  expect(cut(Uint8Array.of(0xff, 0xfe, 0x00, 0x0a)).texts).toEqual(["\ufffd\ufffd␀"]);
  expect(cut(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0x0a)).texts).toEqual(["\ufffda"]);
});

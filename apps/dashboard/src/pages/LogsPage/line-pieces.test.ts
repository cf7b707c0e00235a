import { expect, test } from "vitest";
import { linePieces } from "./line-pieces.ts";

const none = { words: [], marks: [] };
/** `{…}` is a mark, `[…]` a sign. */
const shown = (text: string, wanted = {}) =>
  linePieces(text, { ...none, ...wanted })
    .map(({ kind, text: part }) => ({ text: part, mark: `{${part}}`, sign: `<${part}>` })[kind])
    .join("");

test.each([
  ["plain", "plain"],
  ["", ""],
  ["␛[31mno␛[0m reply", "<ESC[31m>no<ESC[0m> reply"],
  ["␛]52;c;AA␇b", "<ESC>]52;c;AA<BEL>b"],
  ["a␡b�c␀", "a<DEL>b<�>c<NUL>"],
  ["<b>not bold</b>", "<b>not bold</b>"],
])("of %j the signs are framed", (text, framed) => {
  expect(shown(text)).toBe(framed);
});

test("what is looked for is marked where a word begins with it, what is only marked wherever it is", () => {
  expect(shown("timeout, retimeout Timeouts", { words: ["timeout"] })).toBe("{timeout}, retimeout {Timeout}s");
  expect(shown("timeout, retimeout", { marks: ["timeout"] })).toBe("{timeout}, re{timeout}");
  expect(shown("upstream timed out", { words: ["timed"], marks: ["timed out"] })).toBe("upstream {timed out}");
});

test("a mark does not reach over a sign, and letters of any length stay whole", () => {
  expect(shown("time␛[1mout", { marks: ["timeout", "time"] })).toBe("{time}<ESC[1m>out");
  expect(shown("İstanbul down İ", { marks: ["down", "İ"] })).toBe("{İ}stanbul {down} {İ}");
});

test("all parts together are the line, but for the names of its signs", () => {
  const text = "a b c a b c";
  const pieces = linePieces(text, { words: ["a", "b c"], marks: ["c a"] });
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
});

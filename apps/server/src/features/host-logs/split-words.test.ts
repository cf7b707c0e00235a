import { hostLogLimits } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { splitWords } from "./split-words.ts";

test.each([
  ["", []],
  ["  timeout  upstream ", ["timeout", "upstream"]],
  ['"timed out" upstream', ["timed out", "upstream"]],
  ['upstream "timed out', ["upstream", "timed out"]],
  ['"" a a', ["a"]],
])("%j is %j", (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test("more words than are looked for are left away", () => {
  expect(splitWords(Array.from({ length: 40 }, (_, n) => `w${n}`).join(" "))).toHaveLength(hostLogLimits.words);
});

import { expect, test } from "vitest";
import { skewWords } from "./skew-words.ts";

test.each([
  [null, "Not compared yet"],
  [12, "12 ms ahead of the server"],
  [-4, "4 ms behind the server"],
  [3_140, "3.1 s ahead of the server"],
  [-90_000, "1 min behind the server"],
  [3_840_000, "1 h 4 min ahead of the server"],
])("a clock that is %s ms off: %s", (ms, words) => {
  expect(skewWords(ms)).toBe(words);
});

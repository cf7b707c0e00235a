import { expect, test } from "vitest";
import { readWords } from "./read-words.ts";

test.each([
  ["", { query: "", words: [], marks: [] }],
  [" timeout  upstream timeout", { query: "timeout upstream", words: ["timeout", "upstream"], marks: [] }],
  ['upstream "timed out"', { query: 'upstream "timed out"', words: ["upstream", "timed out"], marks: [] }],
  ['upstream "timed out', { query: 'upstream "timed out"', words: ["upstream", "timed out"], marks: [] }],
  ["mark:timeout GET", { query: "GET", words: ["GET"], marks: ["timeout"] }],
  ['mark:"timed out" mark:110', { query: "", words: [], marks: ["timed out", "110"] }],
  ['mark: "" a', { query: "a", words: ["a"], marks: [] }],
  ['"mark:a"', { query: "mark:a", words: ["mark:a"], marks: [] }],
])("%j is read", (text, read) => {
  expect(readWords(text)).toEqual(read);
});

import { expect, test } from "vitest";
import { helpColumns, wrapText } from "./wrap-text.ts";

test("a line holds as many words as fit, and every line begins with the indent", () => {
  const words = Array.from({ length: 40 }, () => "1234");
  const lines = wrapText(words.join(" "), "  ");
  expect(lines.map((line) => line.length)).toEqual([96, 96, 11]);
  expect(lines.every((line) => /^ {2}\S/.test(line))).toBe(true);
  expect(lines.flatMap((line) => line.trim().split(" "))).toEqual(words);
});

test("a line may be exactly as wide as the help", () => {
  expect(wrapText(`${"a".repeat(helpColumns - 2)} b`)).toHaveLength(1);
  expect(wrapText(`${"a".repeat(helpColumns - 1)} b`)).toHaveLength(2);
});

test("a word that is longer than a line stays whole, on a line of its own", () => {
  const long = "x".repeat(helpColumns + 1);
  expect(wrapText(`before ${long} after`, "    ")).toEqual(["    before", `    ${long}`, "    after"]);
});

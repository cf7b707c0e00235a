import fc from "fast-check";
import { expect, test } from "vitest";
import { diffLines, mostComparedLines } from "./diff-lines.ts";

const keyed = (lines: readonly string[]) => lines.map((text) => ({ text, key: text.toLowerCase() }));
const marks = { same: " ", added: "+", removed: "-" } as const;
const shown = (before: readonly string[], after: readonly string[]) =>
  diffLines(keyed(before), keyed(after)).map(({ mark, text }) => `${marks[mark]}${text}`);

test("what both have stays, and what goes stands before what comes", () => {
  expect(shown(["a", "b", "c"], ["a", "x", "c"])).toEqual([" a", "-b", "+x", " c"]);
  expect(shown([], ["a"])).toEqual(["+a"]);
  expect(shown(["a"], [])).toEqual(["-a"]);
  expect(shown(["a", "b"], ["b", "a"])).toEqual(["-a", " b", "+a"]);
});

test("a line that is only spelled otherwise stays, in its new spelling", () => {
  expect(shown(["a", "B"], ["A", "b"])).toEqual([" A", " b"]);
});

test("both sides can be read off the lines, and nothing that could stay is written twice", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(keyed(before), keyed(after));
      const without = (mark: string) => lines.filter((line) => line.mark !== mark).map((line) => line.text);
      expect(without("added")).toEqual(before);
      expect(without("removed")).toEqual(after);
      expect(lines.filter(({ mark }) => mark === "same")).toHaveLength(longestCommon(before, after));
    }),
    { numRuns: 500, seed: 3 },
  );
});

test("texts that are too long to compare are replaced as a whole, save what they begin and end with", () => {
  const many = (word: string) => Array.from({ length: mostComparedLines / 2 + 1 }, (_, index) => `${word}${index}`);
  const lines = shown(["first", ...many("x"), "kept", "last"], ["first", ...many("y"), "kept", "z", "last"]);
  expect(lines[0]).toBe(" first");
  expect(lines.at(-1)).toBe(" last");
  expect(lines).toContain("-kept");
  expect(lines).toContain("+kept");
});

function longestCommon(one: readonly string[], other: readonly string[]): number {
  const memo = new Map<string, number>();
  const at = (i: number, j: number): number => {
    if (i === one.length || j === other.length) return 0;
    const key = `${i} ${j}`;
    const known = memo.get(key);
    if (known !== undefined) return known;
    const found = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    memo.set(key, found);
    return found;
  };
  return at(0, 0);
}

import { expect, test } from "vitest";
import { isFolded, numberLines } from "./number-lines.ts";

const same = (count: number) =>
  Array.from({ length: count }, (_none, at) => ({ mark: "same" as const, text: `s${at}` }));
const added = { mark: "added", text: "new" } as const;
const removed = { mark: "removed", text: "old" } as const;

test("a removed line has its number before, an added one its number after", () => {
  expect(numberLines([...same(1), removed, added, ...same(1)], true)).toEqual([
    { kind: "same", text: "s0", before: 1, after: 1 },
    { kind: "del", text: "old", before: 2 },
    { kind: "add", text: "new", after: 2 },
    { kind: "same", text: "s0", before: 3, after: 3 },
  ]);
});

test("a long run that does not change is one line with a count, and three lines stay beside each change", () => {
  const lines = numberLines([...same(10), added, ...same(10), removed, ...same(4)], false);
  const signs = { same: "=", add: "+", del: "-" } as const;
  expect(lines.map(({ kind, text }) => (kind === "hunk" ? `(${text})` : signs[kind])).join("")).toBe(
    "(7 lines unchanged)===+===(4 lines unchanged)===-====",
  );
  expect(lines.at(-1)).toMatchObject({ before: 25, after: 25 });
});

test("nothing that changes is ever left out, and short runs stay whole", () => {
  const short = [...same(4), added, ...same(7), removed];
  expect(isFolded(short)).toBe(false);
  expect(numberLines(short, false)).toEqual(numberLines(short, true));
  expect(isFolded(same(3))).toBe(false);
  const long = [...same(50), added, ...same(50)];
  expect(isFolded(long)).toBe(true);
  expect(numberLines(long, true)).toHaveLength(101);
});

import { expect, test } from "vitest";
import { openFairLine } from "./fair-line.ts";

function fill(most: number, pushes: readonly string[]) {
  const line = openFairLine<string>(most);
  const dropped = pushes.flatMap((item) => line.push(item.slice(0, 1), item) ?? []);
  const taken: string[] = [];
  for (let item = line.take(); item !== undefined; item = line.take()) taken.push(item);
  return { dropped, taken, size: line.size };
}

test("each block has its turn, and within a block the first comes first", () => {
  expect(fill(10, ["a1", "a2", "a3", "b1", "c1", "b2"])).toEqual({
    dropped: [],
    taken: ["a1", "b1", "c1", "a2", "b2", "a3"],
    size: 0,
  });
});

test("when it is full the block with the most in it loses its oldest, and a newcomer is let in", () => {
  expect(fill(4, ["a1", "a2", "a3", "b1", "c1", "a4"])).toEqual({
    dropped: ["a1", "a2"],
    taken: ["a3", "b1", "c1", "a4"],
    size: 0,
  });
});

test("among blocks that have as many, the oldest of all makes room", () => {
  expect(fill(3, ["a1", "b1", "c1", "d1", "e1"])).toEqual({
    dropped: ["a1", "b1"],
    taken: ["c1", "d1", "e1"],
    size: 0,
  });
});

test("ten thousand blocks take no more room than the line has", () => {
  const line = openFairLine<number>(256);
  let dropped = 0;
  for (let at = 0; at < 10_000; at += 1) if (line.push(`block ${at}`, at) !== undefined) dropped += 1;
  expect([line.size, dropped, line.take()]).toEqual([256, 10_000 - 256, 10_000 - 256]);
});

import { expect, test } from "vitest";
import { readToEnd } from "./list-pages.ts";

const pageOf = (cursor = "0") => {
  const at = Number(cursor);
  return Promise.resolve({ items: [at * 2, at * 2 + 1], nextCursor: at === 2 ? null : String(at + 1) });
};

test("a list is read to its end, page after page", async () => {
  expect(await readToEnd(pageOf, 10)).toEqual([0, 1, 2, 3, 4, 5]);
});

test("a list that never ends is cut", async () => {
  expect(await readToEnd(pageOf, 2)).toEqual([0, 1, 2, 3]);
});

import { expect, test } from "vitest";
import type { ArchivedGroup } from "./audit-index/audit-index.ts";
import { findGroupEnd } from "./find-group-end.ts";

const group = (first: number, count: number): ArchivedGroup => ({
  first,
  entries: Array.from({ length: count }, () => "{}"),
  changesHash: "",
  link: `link of ${first}`,
});

const pagesOf = (groups: readonly ArchivedGroup[]) => (after: number, limit: number) =>
  Promise.resolve(groups.filter(({ first }) => first > after).slice(0, limit));

test("the last end of a group at or before a position is found", async () => {
  const groups = pagesOf([group(1, 2), group(3, 3), group(6, 1)]);
  expect(await findGroupEnd(groups, 5)).toEqual({ position: 5, link: "link of 3" });
  expect(await findGroupEnd(groups, 4)).toEqual({ position: 2, link: "link of 1" });
});

test("a last group whose entries are gone is not asked for for ever", async () => {
  expect(await findGroupEnd(pagesOf([group(1, 2), group(3, 0)]), 9)).toMatchObject({ position: 3 });
});

import { expect, test } from "vitest";
import { answerOf, nothingFound } from "./log-answer.ts";
import { boundLogQuery } from "./log-query.ts";
import type { LogLine, LogQuery } from "./telemetry.ts";

const bound = (query: LogQuery) => {
  const made = boundLogQuery(query, { pageItems: 1_000 });
  if (made === undefined) throw new Error("nothing can be found");
  return made;
};
const lines = (...ids: readonly number[]): LogLine[] =>
  ids.map((id) => ({ id, node: "n1", source: "a", at: 1, level: undefined, text: "", dropped: undefined }));
const idsOf = ({ items }: { readonly items: readonly LogLine[] }) => items.map(({ id }) => id);

test("a search that is over says so, and from where to follow", () => {
  const answer = answerOf(bound({ limit: 2 }), { found: lines(9, 4), goOn: undefined, newest: 30 });
  expect(answer).toMatchObject({ more: false, before: undefined, seen: 30 });
  expect(idsOf(answer)).toEqual([9, 4]);
});

test("one that is full goes on behind the last line that is told", () => {
  const answer = answerOf(bound({ limit: 2 }), { found: lines(9, 4, 3), goOn: 2, newest: 30 });
  expect(answer).toMatchObject({ more: true, before: 4 });
  expect(idsOf(answer)).toEqual([9, 4]);
});

test("one that gave up goes on where it gave up, whether it found something or nothing", () => {
  for (const found of [lines(9, 4), lines(9), []]) {
    expect(answerOf(bound({ limit: 2 }), { found, goOn: 3, newest: 30 })).toMatchObject({ more: true, before: 4 });
  }
});

test("who follows goes on behind what was told, behind what was looked at in vain, or behind everything", () => {
  const query = bound({ limit: 2, after: 5 });
  const full = answerOf(query, { found: lines(6, 8, 9), goOn: undefined, newest: 30 });
  expect([idsOf(full), full.seen, full.before]).toEqual([[8, 6], 8, undefined]);
  expect(answerOf(query, { found: lines(6), goOn: 20, newest: 30 })).toMatchObject({ more: true, seen: 19 });
  expect(answerOf(query, { found: lines(6), goOn: undefined, newest: 30 })).toMatchObject({ more: false, seen: 30 });
  // Ids never go back for them, whatever becomes of the file.
  expect(answerOf(query, { found: [], goOn: undefined, newest: 0 }).seen).toBe(5);
});

test("what no line can answer leaves who follows where they are", () => {
  expect(nothingFound({ after: 7 })).toEqual({ items: [], more: false, before: undefined, seen: 7 });
  expect(nothingFound({}).seen).toBe(0);
});

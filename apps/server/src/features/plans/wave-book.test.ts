import type { PlanHaltRule, TaskState } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { WaveBook } from "./wave-book.ts";

const bookOf = (sizes: readonly number[], halt: PlanHaltRule | null = { after: 1 }, forgiven: number[] = []) =>
  new WaveBook({ waves: sizes.map((nodes) => ({ kind: "rest", nodes })), halt, forgiven });

const ends = (book: WaveBook, wave: number, ...states: readonly TaskState[]) => {
  for (const state of states) book.noteEnd(wave, state);
  return book;
};

test("the first host that has not kept the change is too much, however it ended", () => {
  for (const state of ["rolled_back", "failed_before_change", "failed_after_change", "refused", "stale", "unknown"]) {
    const book = ends(bookOf([2, 3]), 0, state as TaskState);
    expect(book.findHalt(), state).toBe(
      `1 of 2 hosts of wave 1 have not kept the change: 1 ${state.replaceAll("_", " ")}`,
    );
  }
  expect(ends(bookOf([2, 3]), 0, "applied").findHalt()).toBeUndefined();
});

test("so many as were said are too much in one wave, and not when they are in several", () => {
  const book = ends(bookOf([3, 3], { after: 2 }), 0, "applied", "refused");
  expect(ends(book, 1, "stale").findHalt()).toBeUndefined();
  expect(ends(book, 1, "rolled_back").findHalt()).toBe(
    "2 of 3 hosts of wave 2 have not kept the change: 1 stale, 1 rolled back",
  );
});

test("a share is one of all hosts of the wave, so that the first to end do not decide it", () => {
  const book = ends(bookOf([10], { percent: 20 }), 0, "refused");
  expect(book.findHalt()).toBeUndefined();
  expect(ends(book, 0, "refused").findHalt()).toMatch(/^2 of 10/);
});

test("what somebody went on with does not count again, and what follows does", () => {
  const book = ends(bookOf([3, 3], { after: 1 }, [1, 0]), 0, "refused");
  expect(book.findHalt()).toBeUndefined();
  expect(ends(book, 0, "refused").findHalt()).toMatch(/^2 of 3/);
});

test("waves of which no host has kept the change lead to no other, until somebody goes on", () => {
  const book = ends(bookOf([2, 2], { after: 5 }), 0, "refused");
  expect(book.findHalt()).toBeUndefined();
  expect(ends(book, 0, "stale").findHalt()).toBe("no host that has ended has kept the change");
  expect(book.isProven).toBe(false);
  const again = ends(bookOf([2, 2], { after: 5 }, [2, 0]), 0, "refused", "stale");
  expect([again.isProven, again.findHalt()]).toEqual([true, undefined]);
});

test("nothing halts a plan of which nobody said so; the last wave is not judged by what follows", () => {
  expect(ends(bookOf([2], null), 0, "refused", "refused").findHalt()).toBeUndefined();
});

test("a wave opens behind the one before, and was open where a host was sent its task", () => {
  const book = bookOf([1, 1, 1]);
  expect([book.open, book.hasNext, book.left]).toEqual([0, true, 1]);
  book.openNext();
  expect([book.open, book.left]).toEqual([1, 2]);
  book.noteSent(2);
  expect([book.open, book.hasNext]).toEqual([2, false]);
  book.openNext();
  book.noteSent(0);
  expect(book.open).toBe(2);
  book.noteEnd(7, "applied");
  expect([...book.endedOf(7)]).toEqual([]);
});

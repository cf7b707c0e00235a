import { metricLimits } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { openMinuteBook } from "./minute-book.ts";

const { heldMinutes, sentMinutes, minuteMs } = metricLimits;

function bookOf(count: number) {
  const book = openMinuteBook();
  for (let n = 0; n < count; n += 1) book.add({ at: n * minuteMs, values: [n] });
  return book;
}
const atOf = (book: ReturnType<typeof bookOf>, after = 0) => book.after(after).map(({ at }) => at / minuteMs);

test("minutes come in order, no more than a message has, and again until they are forgotten", () => {
  const book = bookOf(sentMinutes + 2);
  expect(atOf(book)).toHaveLength(sentMinutes);
  expect(atOf(book)).toEqual(atOf(book));
  expect(atOf(book, sentMinutes)).toEqual([sentMinutes, sentMinutes + 1]);
  book.forget(sentMinutes);
  expect(atOf(book)).toEqual([sentMinutes, sentMinutes + 1]);
  book.forget(sentMinutes);
  book.forget(sentMinutes + 2);
  expect(atOf(book)).toEqual([]);
});

test("the oldest go when nobody takes them, and numbers are never used again", () => {
  const book = bookOf(heldMinutes + 5);
  expect(book.after(0)[0]).toEqual({ number: 6, at: 5 * minuteMs, values: [5] });
  book.forget(heldMinutes + 5);
  book.add({ at: 0, values: [] });
  expect(book.after(0)).toEqual([{ number: heldMinutes + 6, at: 0, values: [] }]);
});

test("a clock that is set names them anew, but not before 1970", () => {
  const book = bookOf(3);
  book.move(minuteMs);
  expect(atOf(book)).toEqual([1, 2, 3]);
  book.move(-2 * minuteMs);
  expect(book.after(0).map(({ number, at }) => [number, at])).toEqual([
    [2, 0],
    [3, minuteMs],
  ]);
});

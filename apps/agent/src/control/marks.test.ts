import { expect, test } from "vitest";
import { readMarks, withMarks } from "./marks.ts";

const digest = "a".repeat(64);

test("each is changed alone, whatever was there before", () => {
  const first = withMarks({ journal: 7 })(undefined);
  expect(readMarks(first)).toEqual({ ceiling: undefined, journal: 7 });
  const second = withMarks({ ceiling: digest })(first);
  expect(readMarks(second)).toEqual({ ceiling: digest, journal: 7 });
  expect(readMarks(withMarks({ journal: 8 })(second))).toEqual({ ceiling: digest, journal: 8 });
});

test("a digest alone, as earlier versions wrote it, is the ceiling, and the journal begins at its beginning", () => {
  expect(readMarks(digest)).toEqual({ ceiling: digest, journal: 0 });
  expect(readMarks(withMarks({ journal: 3 })(digest))).toEqual({ ceiling: digest, journal: 3 });
});

test.each([
  undefined,
  "",
  "x",
  "{}",
  "null",
  '{"journal":-1}',
  '{"journal":1,"more":1}',
  '{"ceiling":"x","journal":1}',
])("%s is nothing", (text) => {
  expect(readMarks(text)).toEqual({ ceiling: undefined, journal: 0 });
});

test("the text is no longer than what an outbox remembers", () => {
  expect(withMarks({ ceiling: digest, journal: Number.MAX_SAFE_INTEGER })(undefined).length).toBeLessThan(256);
});

import { expect, test } from "vitest";
import { isoMoment, momentOf, namesOf, textOf } from "./address-parts.ts";

test.each(["2026-11-17T02:48Z", "2026-11-17T02:48:05Z", "2026-11-17T02:48:05.004Z"])(
  "%s is read, and written as short again",
  (text) => {
    expect(isoMoment(momentOf(text) ?? 0)).toBe(text);
  },
);

test("what is no moment is none", () => {
  for (const value of ["then", "", 12, undefined]) expect(momentOf(value)).toBeUndefined();
});

test("names stand between commas, each once, as many as are taken; no names and nothing said are two things", () => {
  expect(namesOf("a,,b,a,c", 2)).toEqual(["a", "b"]);
  expect(namesOf("", 2)).toEqual([]);
  expect(namesOf(7, 2)).toBeUndefined();
});

test("whatever the address holds becomes text", () => {
  expect([" a ", 12, true, undefined, {}].map(textOf)).toEqual(["a", "12", "true", "", ""]);
});

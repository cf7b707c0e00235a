import { expect, test } from "vitest";
import { countFilters, hrefOnly, isoOf, localOf, readFilter, readOpened, searchOf } from "./audit-filter.ts";

test("whatever the address holds becomes text, and empty conditions are none", () => {
  expect(readFilter({ text: 12, actor: " ada ", subject: "", odd: "x", action: ["a"] })).toEqual({
    text: "12",
    actor: "ada",
  });
});

test("an entry is opened by a position and by nothing else", () => {
  expect(readOpened({ at: 12 })).toBe(12);
  expect(readOpened({ at: "12" })).toBe(12);
  for (const at of [0, -1, 1.5, "x", undefined]) expect(readOpened({ at })).toBeUndefined();
});

test("a time that is none does not spoil the search", () => {
  expect(searchOf({ from: "yesterday", text: "a" }, 200)).toEqual({
    from: undefined,
    to: undefined,
    text: "a",
    limit: "200",
  });
});

test("a time goes into the field and back unchanged", () => {
  const iso = "2026-11-15T06:20:00.000Z";
  expect(isoOf(localOf(iso))).toBe(iso);
  expect(localOf("never")).toBe("");
});

test("conditions are counted, and one alone has an address", () => {
  expect(countFilters({ text: "a", to: "b" })).toBe(2);
  expect(hrefOnly("actor", "token:a1")).toBe("/audit?actor=token%3Aa1");
  expect(hrefOnly("text", "12")).toBe("/audit?text=%2212%22");
});

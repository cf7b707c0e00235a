import { newId } from "@gatehouse/base";
import { expect, test } from "vitest";
import { openRequestIds } from "./request-id.ts";

test("a request id has the form of every other id and the same time part", () => {
  const now = 1_700_000_000_123;
  const id = openRequestIds()(now);
  expect(id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(id.slice(0, 14)).toBe(newId("req", now).slice(0, 14));
});

test("ids sort by age and never repeat, also across blocks of randomness", () => {
  const next = openRequestIds();
  const ids = Array.from({ length: 5_000 }, (_, i) => next(1_700_000_000_000 + Math.floor(i / 1_000)));
  expect(new Set(ids).size).toBe(5_000);
  expect(ids.map((id) => id.slice(0, 14))).toEqual(ids.map((id) => id.slice(0, 14)).toSorted());
});

test("two processes do not make the same ids", () => {
  expect(openRequestIds()(1)).not.toBe(openRequestIds()(1));
});

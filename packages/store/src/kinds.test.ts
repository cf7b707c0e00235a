import { isFault } from "@gatehouse/contract/faults";
import { defineKind, ownersKind, userKind } from "@gatehouse/contract/records";
import { expect, test } from "vitest";
import * as z from "zod";
import { kindsOf, readKey, readValue, type WrittenRecord } from "./kinds.ts";

const twice = defineKind({
  name: "thing",
  says: "For tests.",
  schema: z.strictObject({ name: z.string(), size: z.int() }),
  migrations: [({ title, ...rest }) => ({ ...rest, name: title ?? "" }), (old) => ({ ...old, size: 0 })],
  kept: "for ever",
});
const kinds = kindsOf([twice, ownersKind]);

const readRecord = (from: typeof kinds, { key: text, form = 1, value }: WrittenRecord) => {
  const key = readKey(from, text);
  return { key, value: readValue(key, form, value) };
};

const refusalOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (isFault(error)) return `${error.code}: ${error.detail}`;
    throw error;
  }
  return "nothing was refused";
};

test("a value of an earlier form passes through every migration since", () => {
  expect(readRecord(kinds, { key: "thing/a", value: { title: "x" } }).value).toEqual({ name: "x", size: 0 });
  expect(readRecord(kinds, { key: "thing/a", form: 2, value: { name: "x" } }).value).toEqual({ name: "x", size: 0 });
  const today = { name: "x", size: 7 };
  expect(readRecord(kinds, { key: "thing/a", form: 3, value: today })).toEqual({ key: twice.key("a"), value: today });
});

test("a value of a later form, and a kind that is not known, are refused by name", () => {
  const later = () => readRecord(kinds, { key: "thing/a", form: 4, value: {} });
  expect(refusalOf(later)).toBe("store.format_unknown: thing/a has form 4, this version reads up to 3");
  const unknown = () => readRecord(kinds, { key: "node/node_1", value: {} });
  expect(refusalOf(unknown)).toBe("store.kind_unknown: this version knows no kind of record for node/node_1");
  expect(refusalOf(() => readKey(kinds, "nonsense"))).toMatch(/^store\.kind_unknown/);
  expect(refusalOf(() => readKey(kindsOf([userKind]), "constructor/x"))).toMatch(/^store\.kind_unknown/);
});

test("a value of another form is refused with its key and the field, and never repeated", () => {
  const refused = (value: object) => refusalOf(() => readRecord(kinds, { key: "owners/main", value: { ...value } }));
  expect(refused({ ids: [7] })).toMatch(/^store\.record_unreadable: owners\/main: ids\.0: /);
  expect(refused({ ids: [], more: "canary" })).toMatch(/^store\.record_unreadable: owners\/main: the value: /);
  expect(refused({ ids: [{ secret: "canary" }] })).not.toContain("canary");
});

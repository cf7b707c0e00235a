import { expect, test } from "vitest";
import { byteForm, readByteForm } from "./byte-form.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("a value has one byte form, whatever the order of its members", () => {
  expect(byteForm({ b: 1, a: [] })).toEqual(byteForm({ a: [], b: 1 }));
  expect(new TextDecoder().decode(byteForm({ b: 1, a: "x" }))).toBe('{\n  "a": "x",\n  "b": 1\n}\n');
});

test("what was written is read back", () => {
  const value = { a: [1, "two", null, true], b: { c: "é" } };
  expect(readByteForm(byteForm(value))).toEqual(value);
});

test.each([
  ["other blanks", '{"a": 1}\n'],
  ["another order", '{\n  "b": 1,\n  "a": 1\n}\n'],
  ["no line feed", "{}"],
  ["a byte behind", "{}\n "],
  ["a fraction", '{\n  "a": 1.5\n}\n'],
  ["a key twice", '{\n  "a": 1,\n  "a": 1\n}\n'],
  ["no JSON", "x\n"],
])("bytes with %s are the byte form of nothing", (_, text) => {
  expect(readByteForm(bytes(text))).toBeUndefined();
});

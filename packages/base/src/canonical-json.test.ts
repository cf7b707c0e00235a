import fc from "fast-check";
import { expect, test } from "vitest";
import { writeCanonicalJson } from "./canonical-json.ts";
import { parseStrictJson } from "./strict-json.ts";

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "grapheme" }),
    fc.maxSafeInteger().map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(
      fc.string({ unit: "grapheme" }).filter((key) => !["__proto__", "constructor", "prototype"].includes(key)),
      tie("any"),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).any;

test("keys are sorted by code unit, also those that look like numbers", () => {
  expect(writeCanonicalJson({ b: 1, 10: 2, 9: [], a: {}, B: [true, null], gone: undefined })).toBe(
    '{\n  "10": 2,\n  "9": [],\n  "B": [\n    true,\n    null\n  ],\n  "a": {},\n  "b": 1\n}',
  );
});

test("what is written is read back as the same value", () => {
  fc.assert(
    fc.property(value, (any) => {
      expect(parseStrictJson(writeCanonicalJson(any))).toEqual({ ok: true, value: any });
    }),
    { numRuns: 1_000 },
  );
});

test("two different values never have one text", () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
      expect(writeCanonicalJson(one) === writeCanonicalJson(other)).toBe(same);
    }),
    { numRuns: 1_000 },
  );
});

test("a value without one text is refused", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 70; level += 1) deep = [deep];
  for (const odd of [0.5, Number.NaN, Infinity, -0, 2 ** 53, "\ud800", { "\udfff": 1 }, undefined, 1n, () => 1, deep]) {
    expect(() => writeCanonicalJson(odd)).toThrow(RangeError);
    expect(() => writeCanonicalJson([odd])).toThrow(RangeError);
  }
});

/** Independent of the writer: pairs instead of objects, sorted. */
function sorted(any: unknown): unknown {
  if (Array.isArray(any)) return ["array", any.map(sorted)];
  if (typeof any !== "object" || any === null) return any;
  return [
    "object",
    Object.entries(any)
      .map(([key, member]) => [key, sorted(member)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ];
}

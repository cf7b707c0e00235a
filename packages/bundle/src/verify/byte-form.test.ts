import { parseStrictJsonBytes } from "@gatehouse/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { payloadHeading, serialiseManifest, signingPayload } from "./byte-form.ts";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** JSON values as a manifest can hold them. */
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "grapheme" }),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 6 }), tie("value"), { maxKeys: 4 }),
  ),
})).value;

const isReadable = (value: unknown) => parseStrictJsonBytes(Buffer.from(JSON.stringify(value))).ok;

describe("the one byte form", () => {
  test("it has two blanks of indent, sorted keys and a line feed at the end", () => {
    expect(text(serialiseManifest({ b: [1, { d: "x", c: null }], a: {}, e: [], f: undefined }))).toBe(
      '{\n  "a": {},\n  "b": [\n    1,\n    {\n      "c": null,\n      "d": "x"\n    }\n  ],\n  "e": []\n}\n',
    );
  });

  test("keys are sorted by UTF-16 code unit, also those that look like numbers", () => {
    const keys = Object.keys({ "10": 0, "2": 0 });
    expect(keys).toEqual(["2", "10"]);
    const written = text(serialiseManifest({ "\uff5e": 0, "\u{1f310}": 0, "2": 0, "10": 0, Z: 0, a: 0 }));
    expect([...written.matchAll(/"(.+)":/g)].map((match) => match[1])).toEqual([
      "10",
      "2",
      "Z",
      "a",
      "\u{1f310}",
      "\uff5e",
    ]);
  });

  test("strings are escaped as JSON.stringify escapes them", () => {
    const all = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)).join("") + "\u2028\u{1f310}";
    expect(text(serialiseManifest([all]))).toBe(`[\n  ${JSON.stringify(all)}\n]\n`);
  });

  test.each([1.5, 2 ** 53, -(2 ** 53), Number.NaN, Number.POSITIVE_INFINITY])("the number %d has none", (number) => {
    expect(() => serialiseManifest({ size: number })).toThrow("expected integers within 2^53-1 only");
  });

  test("it is read back as the same value, and written again as the same bytes", () => {
    fc.assert(
      fc.property(values.filter(isReadable), (value) => {
        const bytes = serialiseManifest(value);
        const read = parseStrictJsonBytes(bytes);
        expect(read.ok && text(serialiseManifest(read.value))).toBe(text(bytes));
        expect(JSON.parse(text(bytes))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 500 },
    );
  });
});

describe("the signing payload", () => {
  test("it is the heading and the byte form without signatures", () => {
    expect(text(signingPayload({ id: "x", signatures: [1] }))).toBe(
      'gatehouse-plugin-manifest-v1\n{\n  "id": "x"\n}\n',
    );
    expect(text(signingPayload({ id: "x" }))).toBe(`${payloadHeading}${text(serialiseManifest({ id: "x" }))}`);
  });

  test("two different manifests never have one payload", () => {
    const objects = fc.dictionary(
      fc.string({ maxLength: 4 }).filter((key) => key !== "signatures"),
      values,
      { maxKeys: 4 },
    );
    fc.assert(
      fc.property(objects.filter(isReadable), objects.filter(isReadable), (a, b) => {
        const isSame = text(signingPayload(a)) === text(signingPayload(b));
        const sameValue = text(serialiseManifest(a)) === text(serialiseManifest(b));
        expect(isSame).toBe(sameValue);
        if (isSame) expect(a).toEqual(b);
      }),
      { numRuns: 500 },
    );
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stoppedIfEndless } from "../../../tests/support/stopped-if-endless.ts";
import { parseStrictJson, parseStrictJsonBytes, strictJsonLimits } from "./strict-json.ts";

const refused: ReadonlyArray<readonly [what: string, text: string, reason: string]> = [
  ["nothing", "", "a value is expected"],
  ["only blanks", " \t\r\n", "a value is expected"],
  ["a key that is written twice", '{"a":1,"a":2}', "a key is written twice in one object"],
  ["a key that is written twice in two spellings", '{"a":1,"\\u0061":2}', "a key is written twice in one object"],
  ["__proto__", '{"__proto__":{"admin":true}}', "the key __proto__ is not accepted"],
  ["an escaped __proto__", '{"\\u005f_proto__":1}', "the key __proto__ is not accepted"],
  ["constructor", '{"a":[{"constructor":1}]}', "the key constructor is not accepted"],
  ["prototype", '{"prototype":1}', "the key prototype is not accepted"],
  ["an integer beyond 2^53-1", "9007199254740992", "a number is too large to keep its value"],
  ["a negative integer beyond it", "-9007199254740993", "a number is too large to keep its value"],
  ["an integer written with an exponent", "1e300", "a number is too large to keep its value"],
  ["infinity by size", "1e999", "a number is too large to keep its value"],
  ["a lone high surrogate", '"\\ud800"', "a string holds a lone surrogate"],
  ["a lone low surrogate in a key", '{"\\udc00":1}', "a string holds a lone surrogate"],
  ["a byte order mark", "\ufeff{}", "a value is expected"],
  ["trailing data", "{} {}", "something follows the value"],
  ["a trailing comma", "[1,]", "a value is expected"],
  ["a trailing comma in an object", '{"a":1,}', "a key in double quotes is expected"],
  ["a missing comma", "[1 2]", "a comma or ] is expected"],
  ["a missing brace", '{"a":1', "a comma or } is expected"],
  ["a missing colon", '{"a" 1}', "a colon is expected"],
  ["a key without quotes", "{a:1}", "a key in double quotes is expected"],
  ["a string that does not end", '"abc', "a string does not end"],
  ["a raw line feed in a string", '"a\nb"', "a string holds a control character"],
  ["an unknown escape", '"\\x41"', "a string holds an unknown escape"],
  ["an escape at the end", '"\\', "a string holds an unknown escape"],
  ["a short unicode escape", '"\\u00g0"', "four hexadecimal digits are expected"],
  ["a leading zero", "01", "something follows the value"],
  ["a plus sign", "+1", "a value is expected"],
  ["a bare point", ".5", "a value is expected"],
  ["NaN", "NaN", "a value is expected"],
  ["a half word", "tru", "a value is expected"],
  ["a comment", "/* a */ 1", "a value is expected"],
  ["single quotes", "'a'", "a value is expected"],
];

describe("what is refused", () => {
  for (const [what, text, reason] of refused) {
    test(`${what} is refused with its reason`, () => {
      expect(parseStrictJson(text)).toMatchObject({ ok: false, reason });
    });
  }

  test("the place of the refusal is told", () => {
    expect(parseStrictJson('{"a":1,"a":2}')).toMatchObject({ at: 7 });
  });

  test("bytes that are not UTF-8 are refused, also overlong forms and encoded surrogates", () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0xaf, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
    ]) {
      expect(parseStrictJsonBytes(Uint8Array.from(bytes))).toEqual({
        ok: false,
        reason: "the bytes are not UTF-8",
        at: 0,
      });
    }
  });

  test("a byte order mark in bytes is refused", () => {
    expect(parseStrictJsonBytes(Uint8Array.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))).toMatchObject({ ok: false, at: 0 });
  });
});

describe("limits", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  test("the deepest accepted nesting is 32, of arrays and of objects", () => {
    expect(parseStrictJson(nested(32)).ok).toBe(true);
    expect(parseStrictJson(nested(33))).toMatchObject({ ok: false, reason: "nested deeper than 32" });
    const objects = (depth: number) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
    expect(parseStrictJson(objects(32)).ok).toBe(true);
    expect(parseStrictJson(objects(33)).ok).toBe(false);
  });

  test("a million brackets cost no stack", () => {
    expect(parseStrictJson("[".repeat(1_000_000)).ok).toBe(false);
  });

  test("the 10,001st key is refused", () => {
    const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join(",")}}`;
    expect(parseStrictJson(keys(strictJsonLimits.keys)).ok).toBe(true);
    expect(parseStrictJson(keys(strictJsonLimits.keys + 1))).toMatchObject({ reason: "more than 10000 keys" });
  });

  test("the 100,001st item is refused", () => {
    const items = (count: number) => `[${Array.from({ length: count }, () => "0").join(",")}]`;
    expect(parseStrictJson(items(strictJsonLimits.items)).ok).toBe(true);
    expect(parseStrictJson(items(strictJsonLimits.items + 1))).toMatchObject({ reason: "more than 100000 items" });
  });

  test("a mebibyte of hostile text is judged in one pass: with one for each character this would not end", () => {
    const size = 1024 * 1024;
    const hostile = [
      `"${"\\u0041".repeat(size / 6)}`,
      `"${"\\".repeat(size)}`,
      `[${"-".repeat(size)}`,
      "1".repeat(size),
      `0.${"0".repeat(size)}e`,
      " ".repeat(size),
      `{"${"a".repeat(size)}`,
      `[${'"",'.repeat(size / 3)}`,
    ];
    const judged = stoppedIfEndless("judging hostile text", () => hostile.map((text) => parseStrictJson(text).ok));
    expect(judged).toEqual(hostile.map(() => false));
  });
});

describe("what is read", () => {
  test("every form of value is read", () => {
    const text =
      ' {"a" : [ true , false , null , -1.5e-2 , 0 , "\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00 x" ] , "b":{}, "c":[] } ';
    expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  test("the largest safe integer and fractions are kept; minus zero becomes zero", () => {
    expect(parseStrictJson("9007199254740991")).toEqual({ ok: true, value: 9007199254740991 });
    expect(parseStrictJson("0.1")).toEqual({ ok: true, value: 0.1 });
    expect(parseStrictJson("-0")).toEqual({ ok: true, value: 0 });
  });

  test("inherited names are ordinary keys and never change the prototype", () => {
    const read = parseStrictJson('{"toString":1,"hasOwnProperty":2}');
    expect(read).toEqual({ ok: true, value: { toString: 1, hasOwnProperty: 2 } });
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
  });

  test("whatever JSON.stringify writes is read back, unless it is one of the refused things", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        const read = parseStrictJson(text);
        if (read.ok) expect(JSON.stringify(read.value)).toBe(text);
        else expect(read.reason).toMatch(/too large|surrogate|not accepted/);
      }),
      { numRuns: 500 },
    );
  });

  test("whatever is read from any text, JSON.parse reads the same", () => {
    const pieces = fc.array(
      fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        '"',
        '"a"',
        "\\",
        "\\u00",
        "1",
        "-",
        ".",
        "e5",
        "0",
        "true",
        "null",
        " ",
        "\n",
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join("");
        const read = parseStrictJson(text);
        if (read.ok) expect(JSON.stringify(read.value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 5_000 },
    );
  });

  test("a failure of the program itself is not disguised as a refusal", () => {
    const broken = {
      get depth(): number {
        throw new TypeError("defect");
      },
      keys: 1,
      items: 1,
    };
    expect(() => parseStrictJson("[]", broken)).toThrow("defect");
  });
});

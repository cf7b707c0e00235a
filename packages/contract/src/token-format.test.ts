import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findTokenId, joinToken, tokenAlphabets, tokenForm, tokenLengths } from "./token-format.ts";

const characters = (alphabet: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength: length, maxLength: length });
const parts = fc.tuple(
  characters(tokenAlphabets.id, tokenLengths.id),
  characters(tokenAlphabets.secret, tokenLengths.secret),
);

test("what was joined is found again, and has the published form", () => {
  fc.assert(
    fc.property(parts, ([id, secret]) => {
      const token = joinToken(id, secret);
      expect(token).toMatch(tokenForm);
      expect(token).toHaveLength(70);
      expect(findTokenId(token)).toBe(id);
    }),
  );
});

test("the check is the CRC-32 of everything before it, in base 62", () => {
  fc.assert(
    fc.property(parts, ([id, secret]) => {
      const check = joinToken(id, secret).slice(-6);
      const value = Array.from(check).reduce((sum, digit) => sum * 62 + tokenAlphabets.secret.indexOf(digit), 0);
      expect(value).toBe(crc32(`gth_${id}_${secret}`));
    }),
  );
});

test("one known token stays what it is", () => {
  expect(joinToken("0123456789abcdef", "A".repeat(43))).toBe(
    "gth_0123456789abcdef_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA2KkqDL",
  );
});

test("one changed character is noticed, wherever it is", () => {
  const token = joinToken("0123456789abcdef", "otterOTTER".repeat(4).concat("123"));
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === "a" ? "b" : "a";
    expect(findTokenId(token.slice(0, at) + other + token.slice(at + 1)), `character ${at}`).toBeUndefined();
  }
});

test("anything that is not a token is nothing", () => {
  const token = joinToken("0123456789abcdef", "A".repeat(43));
  for (const text of ["", "gth_", ` ${token}`, `${token}\n`, token.toUpperCase(), token.slice(1), token.repeat(2)]) {
    expect(findTokenId(text)).toBeUndefined();
  }
});

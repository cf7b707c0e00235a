import { writeEnrolCode } from "@gatehouse/channel";
import { expect, test } from "vitest";
import { urlOfCode } from "./url-of-code.ts";

/** For the check digits alone, which are not read here. */
const anyDigest = (): Uint8Array => new Uint8Array(32);

test("the address in a code that the server wrote is found", () => {
  const url = "https://gatehouse.northmail.example";
  const code = writeEnrolCode(anyDigest, {
    url,
    server: new Uint8Array(32).fill(7),
    secret: new Uint8Array(16).fill(250),
    notAfter: Date.UTC(2026, 10, 17),
  });
  expect(urlOfCode(code)).toBe(url);
});

test.each(["", "ghe1_", "ghe1_AAAA", "ghe1_%%%", "gte9_abc"])("the text %j is no code", (text) => {
  expect(urlOfCode(text)).toBeUndefined();
});

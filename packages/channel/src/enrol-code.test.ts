import { createHash } from "node:crypto";
import { importPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { decodeBase64url } from "./base64url.ts";
import { enrolCodeId, findUrlFlaw, parseEnrolCode, writeEnrolCode } from "./enrol-code.ts";

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const code = {
  url: "https://gh.example",
  server: publicKeyBytes(importPrivateKey(new Uint8Array(32).fill(5))),
  secret: new Uint8Array(16).fill(3),
  notAfter: 1_800_000_000_000,
};

test("a code is one word that says where the server is, which key it has, and until when", () => {
  const text = writeEnrolCode(sha256, code);
  expect(text).toMatch(/^ghe1_[A-Za-z0-9_-]{100,200}$/);
  expect(parseEnrolCode(sha256, text)).toEqual(code);
});

test("whatever character is changed, left out or added, the code is refused and not repeated", () => {
  const text = writeEnrolCode(sha256, code);
  const broken = [text.slice(1), text.slice(0, -1), `${text}A`, `${text} `, text.toUpperCase(), "", "ghe1_", "ghe1_!"];
  for (let at = 5; at < text.length; at += 1) {
    broken.push(text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1));
  }
  for (const each of broken) {
    const parse = () => parseEnrolCode(sha256, each);
    expect(parse, each).toThrow(/^enrol\.code_malformed/);
    expect(parse).not.toThrow(text.slice(60, 80));
  }
});

test("the name under which a code is kept follows from its secret alone", () => {
  expect(enrolCodeId(sha256, code.secret).byteLength).toBe(16);
  expect(enrolCodeId(sha256, new Uint8Array(16))).not.toEqual(enrolCodeId(sha256, code.secret));
});

test.each([
  ["https://gh.example", undefined],
  ["https://gh.example:8443/", undefined],
  ["http://127.0.0.1:8088", undefined],
  ["http://[::1]:8088", undefined],
  ["http://localhost:8088", undefined],
  ["http://gh.example", "it is not https, and not this machine itself"],
  ["http://127.0.0.1.example", "it is not https, and not this machine itself"],
  ["ftp://gh.example", "it is not https, and not this machine itself"],
  ["https://user:pass@gh.example", "it has more than an origin"],
  ["https://gh.example/path", "it has a path"],
  ["https://gh.example/?a=1", "it has more than an origin"],
  ["gh.example", "it is no address"],
])("the address %s is judged: %s", (url, flaw) => {
  expect(findUrlFlaw(url)).toBe(flaw);
});

test("base64url has one spelling", () => {
  expect(decodeBase64url("QUI")).toEqual(new Uint8Array([65, 66]));
  for (const text of ["QUJ", "QUI=", "Q", "QU I", "QU/I"]) expect(decodeBase64url(text), text).toBeUndefined();
});

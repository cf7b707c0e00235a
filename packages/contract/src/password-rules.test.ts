import { expect, test } from "vitest";
import { judgePassword, normalisePassword } from "./password-rules.ts";

test("a long phrase is taken", () => {
  for (const password of ["seven lazy otters", "Xk4!vZ0p#9Lw", "длинный пароль", "🦦🐢🦔🐝🐌🦉🐙🦕🦭🐬🦚🐓"]) {
    expect(judgePassword(password, "admin"), password).toBeUndefined();
  }
});

test("characters are code points: eleven are too few and twelve are enough, whatever they are made of", () => {
  expect(judgePassword("🦦🐢🦔🐝🐌🦉🐙🦕🦭🐬🦚", "admin")).toMatch(/at least 12 .* found 11/);
  expect(judgePassword("abcdeFGHIJ1", "admin")).toMatch(/at least 12/);
  // An e and an accent are one character once they are composed.
  expect(judgePassword("e\u0301otterslazy", "admin")).toMatch(/found 11/);
});

test("256 characters are taken and 257 are not", () => {
  const long = "otter says ".repeat(30);
  expect(judgePassword(long.slice(0, 256), "admin")).toBeUndefined();
  expect(judgePassword(long.slice(0, 257), "admin")).toMatch(/at most 256/);
});

test("the user name, alone or with digits, is not a password", () => {
  expect(judgePassword("maria.schmidt", "maria.schmidt")).toMatch(/user name/);
  expect(judgePassword("MARIA.Schmidt", "maria.schmidt")).toMatch(/user name/);
  expect(judgePassword("mariaschmidt2026!", "maria.schmidt")).toMatch(/user name/);
  // A name without letters has no stem to compare.
  expect(judgePassword("seven lazy otters", "123456")).toBeUndefined();
});

test("the trivial ones are refused", () => {
  const trivial = ["aaaaaaaaaaaa", "abababababab", "123456789012", "210987654321", "qwertyuiopas", "Password1234!"];
  for (const password of [...trivial, "changeme-2026", "ADMINISTRATOR", "000Gatehouse!"]) {
    expect(judgePassword(password, "someone"), password).toBeDefined();
  }
});

test("a refusal does not repeat the password", () => {
  for (const password of ["short", "aaaaaaaaaaaa", "123456789012", "Password1234!"]) {
    expect(judgePassword(password, "someone")).not.toContain(password);
  }
});

test("both ways to write a letter give the same bytes", () => {
  expect(normalisePassword("caf\u0065\u0301")).toBe(normalisePassword("caf\u00e9"));
});

import { expect, test } from "vitest";
import { parseUsername } from "./username.ts";

test("ASCII capitals are made small, nothing else is changed", () => {
  expect(parseUsername("Admin")).toBe("admin");
  expect(parseUsername("a.b_c-9")).toBe("a.b_c-9");
  expect(parseUsername(`A${"b".repeat(62)}`)).toBe(`a${"b".repeat(62)}`);
});

test("names that would only become a user's by folding are nobody's", () => {
  const lookalikes = ["\u212aelvin", "ＡＤＭＩＮ", "аdmin", "admi\u0301n", "admın", "admin\u200b", "ﬁle", "ADMİN"];
  for (const name of lookalikes) expect(parseUsername(name), name).toBeUndefined();
});

test("blanks, separators, line ends and long names are refused", () => {
  const refused = ["", " admin", "admin ", "ad min", ".admin", "-admin", "_a", "a/b", "a:b", "a@b", "admin\n", "a\0"];
  for (const name of [...refused, "a".repeat(64)]) expect(parseUsername(name), name).toBeUndefined();
});

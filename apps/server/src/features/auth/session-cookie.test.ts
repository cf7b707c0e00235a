import { expect, test } from "vitest";
import { clearedCookie, sessionCookie } from "./session-cookie.ts";

test("a secure cookie has the prefix and every attribute that the prefix asks for", () => {
  expect(sessionCookie({ name: "__Host-gatehouse", secure: true }, "value", 43_200.9)).toBe(
    "__Host-gatehouse=value; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure",
  );
});

test("without secure cookies it is a plain name, and still for one origin and no script", () => {
  expect(sessionCookie({ name: "gatehouse", secure: false }, "value", -5)).toBe(
    "gatehouse=value; Path=/; Max-Age=0; HttpOnly; SameSite=Strict",
  );
});

test("a cleared cookie has the same attributes, or browsers would keep the old one", () => {
  expect(clearedCookie({ name: "__Host-gatehouse", secure: true })).toBe(
    "__Host-gatehouse=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure",
  );
});

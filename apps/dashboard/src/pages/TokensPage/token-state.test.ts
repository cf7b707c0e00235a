import { expect, test } from "vitest";
import { isUsable, tokenStateOf } from "./token-state.ts";

const hour = 3_600_000;
const now = Date.parse("2026-11-15T12:00:00Z");
const at = (offset: number) => new Date(now + offset).toISOString();

test("a token is active until its end is near, and a revoked one stays revoked", () => {
  const token = { createdAt: at(-240 * hour), expiresAt: at(100 * hour), revokedAt: null };
  expect(tokenStateOf(token, now)).toBe("active");
  expect(tokenStateOf({ ...token, expiresAt: at(2 * hour) }, now)).toBe("ending");
  expect(tokenStateOf({ ...token, expiresAt: at(0) }, now)).toBe("expired");
  expect(tokenStateOf({ ...token, revokedAt: at(-hour) }, now)).toBe("revoked");
});

test("a token made for an hour is not ending from its first minute on", () => {
  expect(tokenStateOf({ createdAt: at(0), expiresAt: at(hour), revokedAt: null }, now)).toBe("active");
  expect(tokenStateOf({ createdAt: at(-0.9 * hour), expiresAt: at(0.1 * hour), revokedAt: null }, now)).toBe("ending");
});

test("only what has not ended can be used", () => {
  expect([isUsable("active"), isUsable("ending"), isUsable("expired"), isUsable("revoked")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { masterKey } from "./master-key.ts";
import { openSecrets } from "./secrets.ts";

const place = { kind: "user", id: "usr_1", field: "totp" };
const secrets = openSecrets(masterKey(randomBytes(32)));

test("a sealed secret opens in its place", () => {
  const sealed = secrets.seal(place, "hunter2 ✓");
  expect(sealed).not.toContain("hunter2");
  expect(secrets.open(place, sealed).toString()).toBe("hunter2 ✓");
  expect(secrets.open(place, secrets.seal(place, Buffer.alloc(0))).length).toBe(0);
});

test("a sealed secret opens in no other place", () => {
  const sealed = secrets.seal(place, "x");
  for (const other of [{ kind: "token" }, { id: "usr_2" }, { field: "recovery" }]) {
    expect(() => secrets.open({ ...place, ...other }, sealed)).toThrow("secret.unreadable");
  }
});

test("a sealed secret does not open with another key", () => {
  const other = openSecrets(masterKey(randomBytes(32)));
  expect(() => other.open(place, secrets.seal(place, "x"))).toThrow(/was sealed with key/);
});

test("every flipped bit of a sealed secret is refused", () => {
  const sealed = secrets.seal(place, "a secret");
  const bytes = Buffer.from(sealed);
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    const text = flipped.toString("latin1");
    // Base64 has spare bits in its last character: a flip there changes no byte, so the text must be refused or open to the same.
    try {
      expect(secrets.open(place, text).toString()).toBe("a secret");
      expect(Buffer.from(text.slice(-4), "base64url")).toEqual(Buffer.from(sealed.slice(-4), "base64url"));
    } catch (error) {
      expect((error as { code?: string }).code).toBe("secret.unreadable");
    }
  }
});

test("nonces do not repeat", () => {
  const nonces = new Set(Array.from({ length: 20_000 }, () => secrets.seal(place, "x").split(":")[2]));
  expect(nonces.size).toBe(20_000);
});

import { createPrivateKey, createPublicKey } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wireguardKey } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { findWireguardKey, keepWireguardKey } from "./wireguard-keys.ts";

function makeRoot() {
  const { root, paths } = makeHostDirectory();
  mkdirSync(paths.helperState, { recursive: true });
  return { root, path: join(paths.wireguard, "wg0.key") };
}

test("a key is made once, for root alone, and is the same from then on", async () => {
  const { root, path } = makeRoot();
  expect(findWireguardKey(root, "wg0")).toBeUndefined();
  const made = await keepWireguardKey(root, "wg0");
  expect(made).toEqual({ path, publicKey: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) });
  expect(wireguardKey.safeParse(made.publicKey).success).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await keepWireguardKey(root, "wg0")).toEqual(made);
  expect(findWireguardKey(root, "wg0")).toEqual(made);
  expect((await keepWireguardKey(root, "wg1")).publicKey).not.toBe(made.publicKey);
  expect(readdirSync(join(path, "..")).toSorted()).toEqual(["wg0.key", "wg1.key"]);
});

test("two who ask at once are told the same key", async () => {
  const { root } = makeRoot();
  const told = await Promise.all(Array.from({ length: 8 }, () => keepWireguardKey(root, "wg0")));
  expect(new Set(told.map(({ publicKey }) => publicKey)).size).toBe(1);
  expect(findWireguardKey(root, "wg0")).toEqual(told[0]);
});

test("what is kept is a key as WireGuard has it, with the public half that is told", async () => {
  const { root, path } = makeRoot();
  const { publicKey } = await keepWireguardKey(root, "wg0");
  const text = readFileSync(path, "utf8");
  expect(text).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
  const seed = Buffer.from(text, "base64");
  expect([(seed[0] ?? 0) & 7, (seed[31] ?? 0) & 192]).toEqual([0, 64]);
  // By another way than the one under test.
  const jwk = {
    kty: "OKP",
    crv: "X25519",
    d: seed.toString("base64url"),
    x: Buffer.from(publicKey, "base64").toString("base64url"),
  };
  const half = createPublicKey(createPrivateKey({ key: jwk, format: "jwk" })).export({ format: "jwk" });
  expect(Buffer.from(half.x ?? "", "base64url").toString("base64")).toBe(publicKey);
});

test("a file that holds no key, or that others can read, is not taken for one and not replaced", async () => {
  const { root, path } = makeRoot();
  await keepWireguardKey(root, "wg0");
  chmodSync(path, 0o640);
  await expect(keepWireguardKey(root, "wg0")).rejects.toThrow(/^state\.unreadable: .*wg0\.key/);
  chmodSync(path, 0o600);
  for (const text of ["", "short\n", `${"A".repeat(43)}=`, "A".repeat(65)]) {
    writeFileSync(path, text);
    await expect(keepWireguardKey(root, "wg0")).rejects.toThrow(/^state\.unreadable: .*wg0\.key/);
    expect(readFileSync(path, "utf8")).toBe(text);
  }
});

test("a text that wg would not take for a key is not taken for one here either", async () => {
  const { root, path } = makeRoot();
  await keepWireguardKey(root, "wg0");
  // Its last character says more than 32 bytes: the same key once it is read, and none to wg, which prints what it refuses.
  writeFileSync(path, `${"A".repeat(42)}B=\n`);
  expect(() => findWireguardKey(root, "wg0")).toThrow(/^state\.unreadable: .*expected a key, found none/);
});

test("a disk that takes no key is said, and the next question tries again", async () => {
  const { root, path } = makeRoot();
  rmSync(join(root, "var/lib/gatehouse"), { recursive: true });
  writeFileSync(join(root, "var/lib/gatehouse"), "");
  await expect(keepWireguardKey(root, "wg0")).rejects.toThrow(/^state\.unreadable/);
  rmSync(join(root, "var/lib/gatehouse"));
  mkdirSync(join(root, "var/lib/gatehouse"));
  expect((await keepWireguardKey(root, "wg0")).path).toBe(path);
});

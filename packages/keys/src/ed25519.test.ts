import { expect, test } from "vitest";
import {
  exportPrivateKey,
  importPrivateKey,
  isSignedBy,
  loadPublicKey,
  newPrivateKey,
  publicKeyBytes,
  signBytes,
} from "./ed25519.ts";
import { nodeIdOf } from "./node-id.ts";

const message = new TextEncoder().encode("message");

test("what a key signed is its own, and nobody else's", () => {
  const key = newPrivateKey();
  const mine = loadPublicKey(publicKeyBytes(key), "mine");
  const other = loadPublicKey(publicKeyBytes(newPrivateKey()), "another");
  const signature = signBytes(key, message);
  expect(isSignedBy(mine, message, signature)).toBe(true);
  expect(isSignedBy(other, message, signature)).toBe(false);
  expect(isSignedBy(mine, message, signature.subarray(1))).toBe(false);
  expect(isSignedBy(mine, new Uint8Array([...message, 0]), signature)).toBe(false);
});

test("a private key is kept as 32 bytes and comes back whole", () => {
  const key = newPrivateKey();
  const again = importPrivateKey(exportPrivateKey(key));
  expect(publicKeyBytes(again)).toEqual(publicKeyBytes(key));
  expect(() => importPrivateKey(new Uint8Array(31))).toThrow(RangeError);
});

test("a key that anybody can sign for, or of another length, is refused by name", () => {
  expect(() => loadPublicKey(new Uint8Array(32), "the server's key")).toThrow(/^key\.weak: the server's key/);
  expect(() => loadPublicKey(new Uint8Array(31), "the server's key")).toThrow(/expected 32 bytes, found 31/);
});

test("a node is called after its host key (the vector of the protocol)", () => {
  const hostKey = publicKeyBytes(importPrivateKey(new Uint8Array(32).fill(1)));
  expect(Buffer.from(hostKey).toString("hex")).toMatch(/^8a88e3dd.*0f6f5c$/);
  expect(nodeIdOf(hostKey)).toBe("node_zjq786fqc9hjs4qb1wefsk24q0");
});

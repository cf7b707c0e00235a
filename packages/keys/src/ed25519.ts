import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { fault } from "@gatehouse/contract/faults";
import { findKeyFlaw, findWeakness } from "./edwards.ts";

export const publicKeyLength = 32;
export const signatureLength = 64;

/** What stands before the 32 bytes of a public key, and before the 32 bytes of a private one, in their DER forms. */
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");
const privatePrefix = Buffer.from(["302e0201003005", "06032b657004220420"].join(""), "hex");

/**
 * A key object of 32 raw bytes. Every public key that comes from outside goes through here: for some encodings anybody can
 * sign, and not every runtime's verify refuses them.
 */
export function loadPublicKey(raw: Uint8Array, whose: string): KeyObject {
  return keyObject(raw, whose, findKeyFlaw);
}

/** The same for a key that was loaded before it was kept, as that of a node: a fleet that comes back asks for thousands. */
export function loadKeptKey(raw: Uint8Array, whose: string): KeyObject {
  return keyObject(raw, whose, findWeakness);
}

function keyObject(raw: Uint8Array, whose: string, findFlaw: (raw: Uint8Array) => string | undefined): KeyObject {
  if (raw.byteLength !== publicKeyLength) {
    throw fault("key.weak", `${whose}: expected 32 bytes, found ${raw.byteLength}`);
  }
  const flaw = findFlaw(raw);
  if (flaw !== undefined) throw fault("key.weak", `${whose} is no usable Ed25519 key: ${flaw}`);
  return createPublicKey({ key: Buffer.concat([publicPrefix, raw]), format: "der", type: "spki" });
}

export function isSignedBy(key: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean {
  return signature.byteLength === signatureLength && verify(null, bytes, key, signature);
}

export function newPrivateKey(): KeyObject {
  return generateKeyPairSync("ed25519").privateKey;
}

/** The 32 bytes from which the whole key follows: what is kept, and kept secret. */
export function exportPrivateKey(key: KeyObject): Uint8Array {
  return new Uint8Array(key.export({ type: "pkcs8", format: "der" }).subarray(-32));
}

export function importPrivateKey(seed: Uint8Array): KeyObject {
  if (seed.byteLength !== 32) throw new RangeError("an Ed25519 private key has 32 bytes");
  return createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: "der", type: "pkcs8" });
}

/** The raw public half of a key, private or public. */
export function publicKeyBytes(key: KeyObject): Uint8Array {
  const half = key.type === "private" ? createPublicKey(key) : key;
  return new Uint8Array(half.export({ type: "spki", format: "der" }).subarray(-publicKeyLength));
}

export function signBytes(key: KeyObject, bytes: Uint8Array): Uint8Array {
  return sign(null, bytes, key);
}

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { keyIdOf } from "../verify/index.ts";

/** A key pair that signs manifests. It is no API credential (contract 5.4) and never reaches a server. */
export interface PublisherKey {
  /** First 32 hex characters of the SHA-256 of the raw public key. */
  readonly keyId: string;
  /** Base64 of the 32 raw bytes, as a trust policy names it. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

export function generatePublisherKey(): PublisherKey {
  return describeKey(generateKeyPairSync("ed25519").privateKey);
}

/** The key pair of a 32-byte seed (RFC 8032): how a key file keeps it. */
export function publisherKeyFromSeed(seed: Uint8Array): PublisherKey {
  return describeKey(createPrivateKey({ key: Buffer.concat([pkcs8Heading, seed]), format: "der", type: "pkcs8" }));
}

export function seedOf(key: PublisherKey): Uint8Array {
  return key.privateKey.export({ format: "der", type: "pkcs8" }).subarray(pkcs8Heading.byteLength);
}

/** What stands before the seed in the DER form of an Ed25519 private key (RFC 8410). */
const pkcs8Heading = Buffer.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20);

function describeKey(privateKey: KeyObject): PublisherKey {
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  const raw = Buffer.from(x, "base64url");
  return { keyId: keyIdOf(raw), publicKey: raw.toString("base64"), privateKey };
}

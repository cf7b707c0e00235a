import { createHash } from "node:crypto";

/** SHA-256, as the digests of plans are made with it. */
export function hashBytes(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

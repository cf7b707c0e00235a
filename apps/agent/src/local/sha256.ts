import { createHash } from "node:crypto";

/** What plans and their digests are computed with on a host. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

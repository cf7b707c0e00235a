import { createHash } from "node:crypto";

/** The id of a publisher's or release key: it follows from the key, so it can be given to no other. */
export function keyIdOf(publicKey: Uint8Array): string {
  return createHash("sha256").update(publicKey).digest("hex").slice(0, 32);
}

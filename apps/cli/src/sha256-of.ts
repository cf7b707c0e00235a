import { createHash } from "node:crypto";

/** For what takes its hash as an argument, so that a browser can use it too. */
export function sha256Of(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

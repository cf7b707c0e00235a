/** Given by the caller, so that browser, agent and server each use what they have. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** Of bytes as they are, in lower-case hexadecimal: what a host and `sha256sum` call a file. */
export function hexDigest(sha256: Sha256, bytes: Uint8Array): string {
  const digest = sha256(bytes);
  if (digest.byteLength !== 32) throw new RangeError("a SHA-256 digest has 32 bytes");
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

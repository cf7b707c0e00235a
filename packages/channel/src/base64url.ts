export function encodeBase64url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/** The bytes of a text in base64url without padding; undefined for any other text, also for one with stray bits at its end. */
export function decodeBase64url(text: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.fromBase64(text, { alphabet: "base64url" });
    return encodeBase64url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

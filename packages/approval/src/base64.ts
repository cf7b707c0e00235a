/** The bytes of a text in padded base64; undefined for any other text, also for one with blanks or stray bits in it. */
export function readBase64(text: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.fromBase64(text);
    return bytes.toBase64() === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

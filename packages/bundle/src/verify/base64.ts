/** Decodes base64 of exactly `length` bytes in its one spelling: with padding, and with no spare bits set. */
export function decodeBase64(text: string, length: number): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.byteLength === length && bytes.toString("base64") === text ? bytes : undefined;
}

import { readText } from "@gatehouse/keys/frame";

/** A short word of others as "found …" shows it; what is no plain word is told by its length, for it may be a secret or move a cursor. */
export function describeFound(found: string | Uint8Array): string {
  const text = typeof found === "string" ? found : readText(found);
  if (text !== undefined && /^[a-z0-9][a-z0-9@.:/-]{0,63}$/.test(text)) return `"${text}"`;
  return typeof found === "string" ? `something else of ${found.length} characters` : `${found.byteLength} other bytes`;
}

import { wordOf } from "./word-list.ts";

/**
 * Six words for the digest of a plan, which two people can read to each other. They are its first 48 bits: who has to be sure
 * compares all of it.
 */
export function planWords(digest: string): string[] {
  return [...Uint8Array.fromHex(digest).subarray(0, 6)].map(wordOf);
}

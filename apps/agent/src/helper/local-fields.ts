import { decodeBase64url } from "@gatehouse/channel";
import * as z from "zod";

/** So many bytes, written as base64url without padding. */
export function bytesOf(length: number) {
  return bytesBetween(length, length);
}

/** At least one byte and at most so many, written in the same way. */
export function bytesUpTo(most: number) {
  return bytesBetween(1, most);
}

function bytesBetween(least: number, most: number) {
  return z.string().transform((text, context) => {
    const bytes = decodeBase64url(text);
    if (bytes !== undefined && bytes.byteLength >= least && bytes.byteLength <= most) return bytes;
    context.addIssue({ code: "custom", message: `expected ${least} to ${most} bytes as base64url` });
    return z.NEVER;
  });
}

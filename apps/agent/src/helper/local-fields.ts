import { decodeBase64url } from "@gatehouse/channel";
import * as z from "zod";

/** So many bytes, written as base64url without padding. */
export function bytesOf(length: number) {
  return z.string().transform((text, context) => {
    const bytes = decodeBase64url(text);
    if (bytes?.byteLength === length) return bytes;
    context.addIssue({ code: "custom", message: `expected ${length} bytes as base64url` });
    return z.NEVER;
  });
}

import { createHmac, randomBytes } from "node:crypto";

/** What a receiver compares: over the second of sending and the exact bytes, so that neither can be exchanged (docs/operate/webhooks.md). */
export function signNotice(secret: string, body: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

/** The text as it stands is the key: whoever verifies needs no decoding. */
export function newNoticeSecret(): string {
  return `whsec_${randomBytes(32).toString("base64url")}`;
}

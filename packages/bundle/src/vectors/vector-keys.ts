import { createHash } from "node:crypto";
import { type PublisherKey, publisherKeyFromSeed } from "../sign/index.ts";

/** Keys of the vectors. Everybody can make them: a trust policy outside the vectors must never name one. */
function keyFor(owner: string): PublisherKey {
  return publisherKeyFromSeed(createHash("sha256").update(`gatehouse test vector key: ${owner}`).digest());
}

export const vectorKeys = {
  first: keyFor("acme first"),
  second: keyFor("acme second"),
  third: keyFor("acme third"),
  revoked: keyFor("acme revoked"),
  /** Valid up to and including `keyEnds`. */
  old: keyFor("acme old"),
  other: keyFor("other"),
  stranger: keyFor("stranger"),
} as const;

/** When the vectors are judged, unless one says otherwise. */
export const vectorNow = "2026-12-01T00:00:00Z";
export const keyEnds = "2026-11-01T00:00:00Z";

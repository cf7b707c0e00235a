import type { Trust } from "@gatehouse/approval/verify";
import { fault } from "@gatehouse/contract/faults";
import { findTrust, type TrustPlace } from "./read-trust.ts";

/** The keys of those whose programs this host takes, by their ids. */
export type PublisherKeys = Trust["publishers"];

/**
 * Also where the server's word counts: whose programs a host takes is said by its root alone. Throws for a file that is not believed
 * or no longer counts.
 */
export function findPublishers(place: TrustPlace, now: number): PublisherKeys {
  const found = findTrust(place);
  if (found.t === "none") return new Map();
  if (found.t === "unsound") throw fault("trust.unsound", found.why);
  const { notAfter, publishers } = found.trust;
  if (notAfter === undefined || now <= notAfter) return publishers;
  const [expected, late] = [notAfter, now].map((time) => new Date(time).toISOString());
  throw fault("trust.expired", `expected ${expected} or earlier, found ${late}`);
}

import { firstTrust, parseTrust, type Trust } from "@gatehouse/approval/verify";
import { fault } from "@gatehouse/contract/faults";
import { readApprovers } from "./approvers.ts";
import { type ConfirmDeps, confirmApprovers } from "./confirm-approvers.ts";
import { putTrust, type TrustFilePlace } from "./put-trust.ts";
import { readPublishers } from "./publishers.ts";
import { findTrust, readTrust } from "./read-trust.ts";

export interface NamedApprovers {
  /** Lines of `.pub` files. */
  readonly lines: readonly string[];
  readonly fingerprints: readonly string[];
  /** ID=KEY, of those whose programs plans may bring. */
  readonly publishers?: readonly string[];
}

export interface NameApproversDeps extends ConfirmDeps {
  readonly place: TrustFilePlace;
}

/**
 * Epoch 1 of the trust file, with one person for each key. A file with the same keys stays as it is, so that approvals which name it
 * count on; one with other keys is not replaced in passing.
 */
export async function nameApprovers(deps: NameApproversDeps, named: NamedApprovers): Promise<void> {
  const { approvers, bytes } = newTrust(named);
  const isThere = findTrust(deps.place).t !== "none";
  if (isThere) {
    needSameKeys(deps.place, new Set(approvers.map(({ keyId }) => keyId)));
    if (named.publishers !== undefined) needSamePublishers(deps.place, bytes);
  }
  confirmApprovers(deps, approvers, named.fingerprints);
  if (!isThere) await putTrust(deps.place, bytes);
}

function needSameKeys(place: TrustFilePlace, wanted: ReadonlySet<string>): void {
  const { persons, digest } = readTrust(place);
  const known = new Set(persons.flatMap(({ keys }) => keys.map(({ id }) => id)));
  if (known.symmetricDifference(wanted).size === 0) return;
  throw fault("trust.other_keys", `${place.paths.trust}, ${digest}, names other keys than --approver`);
}

/** The file of those who are named, as one that follows no other. */
export function newTrust({ lines, publishers = [] }: NamedApprovers, more: { readonly epoch?: number } = {}) {
  const approvers = readApprovers(lines);
  return { approvers, bytes: firstTrust(approvers, { publishers: readPublishers(publishers), ...more }) };
}

function needSamePublishers(place: TrustFilePlace, wanted: Uint8Array): void {
  const { publishers, digest } = readTrust(place);
  if (listOf(publishers) === listOf(parseTrust(wanted).publishers)) return;
  throw fault("trust.other_keys", `${place.paths.trust}, ${digest}, names other publishers than --publisher`);
}

function listOf(publishers: Trust["publishers"]): string {
  return [...publishers]
    .flatMap(([publisher, keys]) => keys.map(({ id }) => `${publisher} ${id}`))
    .toSorted()
    .join("\n");
}

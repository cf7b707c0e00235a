import { firstTrust } from "@gatehouse/approval/verify";
import { fault } from "@gatehouse/contract/faults";
import { readApprovers } from "./approvers.ts";
import { type ConfirmDeps, confirmApprovers } from "./confirm-approvers.ts";
import { putTrust, type TrustFilePlace } from "./put-trust.ts";
import { findTrust, readTrust } from "./read-trust.ts";

export interface NamedApprovers {
  /** Lines of `.pub` files. */
  readonly lines: readonly string[];
  readonly fingerprints: readonly string[];
}

export interface NameApproversDeps extends ConfirmDeps {
  readonly place: TrustFilePlace;
}

/**
 * Epoch 1 of the trust file, with one person for each key. A file with the same keys stays as it is, so that approvals which name it
 * count on; one with other keys is not replaced in passing.
 */
export async function nameApprovers(deps: NameApproversDeps, { lines, fingerprints }: NamedApprovers): Promise<void> {
  const approvers = readApprovers(lines);
  const bytes = firstTrust(approvers);
  const isThere = findTrust(deps.place).t !== "none";
  if (isThere) needSameKeys(deps.place, new Set(approvers.map(({ keyId }) => keyId)));
  confirmApprovers(deps, approvers, fingerprints);
  if (!isThere) await putTrust(deps.place, bytes);
}

function needSameKeys(place: TrustFilePlace, wanted: ReadonlySet<string>): void {
  const { persons, digest } = readTrust(place);
  const known = new Set(persons.flatMap(({ keys }) => keys.map(({ id }) => id)));
  if (known.symmetricDifference(wanted).size === 0) return;
  throw fault("trust.other_keys", `${place.paths.trust}, ${digest}, names other keys than --approver`);
}

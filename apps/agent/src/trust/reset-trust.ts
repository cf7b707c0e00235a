import { confirmApprovers } from "./confirm-approvers.ts";
import { findTrust, type FoundTrust } from "./read-trust.ts";
import { type NameApproversDeps, type NamedApprovers, newTrust } from "./name-approvers.ts";
import { putTrust } from "./put-trust.ts";

export interface ResetTrustDeps extends NameApproversDeps {
  readonly now: () => number;
}

/** Replaces whom this host believes, without anybody's signature: that is root's right. Gives what was there before. */
export async function resetTrust(deps: ResetTrustDeps, named: NamedApprovers): Promise<FoundTrust> {
  const earlier = findTrust(deps.place);
  const { approvers, bytes } = newTrust(named, { epoch: nextEpoch(earlier, deps.now()) });
  confirmApprovers(deps, approvers, named.fingerprints);
  await putTrust(deps.place, bytes);
  return earlier;
}

/**
 * Never an epoch that this host may have had: a file with the same keys and the same epoch has the digest of that one, and approvals
 * and successors that were signed for it would count again. What a damaged file says of its epoch cannot be believed, so the seconds
 * since 1970 are taken, which no host reaches by counting.
 */
function nextEpoch(earlier: FoundTrust, now: number): number {
  if (earlier.t === "none") return 1;
  return earlier.t === "sound" ? earlier.trust.epoch + 1 : Math.floor(now / 1_000);
}

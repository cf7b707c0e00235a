import { type Approval, writeContainer } from "@gatehouse/approval";
import { signedBy } from "../../packages/approval/src/verify/approval-cases.ts";
import { makeKey, type MadeKey } from "../../packages/approval/src/verify/ssh-key-cases.ts";

/** An approver whose key follows from a seed. */
export function makeApprover(seed: number): MadeKey {
  return makeKey("ssh-ed25519", seed);
}

/** One approver's signed statement as the server keeps it. */
export function signedContainer(key: MadeKey, approval: Omit<Approval, "keyId">): Uint8Array {
  return writeContainer([signedBy(key, approval)]);
}

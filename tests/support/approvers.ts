import { randomBytes } from "node:crypto";
import type { Approval } from "@gatehouse/approval";
import { signedBy } from "../../packages/approval/src/verify/approval-cases.ts";
import type { MadeKey } from "../../packages/approval/src/verify/ssh-key-cases.ts";

/** Keys of approvers and what they sign, for tests that use packages by their names. */
export { signedBy } from "../../packages/approval/src/verify/approval-cases.ts";
export { type MadeKey, makeKey } from "../../packages/approval/src/verify/ssh-key-cases.ts";

/** What an approver says of these hosts of a plan, good for an hour. */
export function usualStatement(
  now: number,
  about: Pick<Approval, "planDigest" | "sections" | "trust">,
): Omit<Approval, "keyId"> {
  return {
    approvalId: randomBytes(16).toString("hex"),
    issuedAt: now,
    notBefore: now,
    notAfter: now + 60 * 60 * 1_000,
    rollbackWindow: 60,
    confirmation: 1,
    settle: 0,
    ...about,
  };
}

/** A signed statement as a client sends it. */
export function signatureBody(key: MadeKey, statement: Omit<Approval, "keyId">): { statement: string; ssh: string } {
  const signed = signedBy(key, statement);
  return { statement: signed.statement.toBase64(), ssh: signed.ssh.toBase64() };
}

import { randomBytes } from "node:crypto";
import { type Approval, sectionBits } from "@gatehouse/approval";
import { fault } from "@gatehouse/contract";
import type { ApprovalTerms } from "./approval-terms.ts";
import type { SignedHost } from "./choose-hosts.ts";

/** More do not fit into a statement. */
const mostTrust = 64;

export interface StatementWish {
  readonly planDigest: string;
  /** How many sections the plan has. */
  readonly sectionCount: number;
  readonly hosts: readonly SignedHost[];
  readonly terms: ApprovalTerms;
  readonly keyId: string;
  readonly now: number;
}

/** A statement of one's own. It names the trust files that the hosts stand at and no other: a host that stands elsewhere by then refuses. */
export function makeStatement({ planDigest, sectionCount, hosts, terms, keyId, now }: StatementWish): Approval {
  const trust = [...new Set(hosts.map((host) => host.trust.digest))].toSorted();
  if (trust.length > mostTrust) {
    throw fault(
      "statement.limits",
      `expected at most ${mostTrust} different trust files in one approval, found ${trust.length}: choose fewer hosts with --hosts`,
    );
  }
  const sections = hosts.map(({ checked }) => checked.view.index);
  return {
    approvalId: randomBytes(16).toString("hex"),
    planDigest,
    sections: sectionBits(sectionCount, sections),
    issuedAt: now,
    ...terms,
    confirmation: hosts.some(wantsApprover) ? 2 : 1,
    settle: 0,
    trust,
    keyId,
  };
}

/** Where the host wants its approvers to confirm what could cut it off, the statement has to say so. */
function wantsApprover({ trust, risks }: SignedHost): boolean {
  return trust.networkConfirmation === "approver" && risks.includes("network");
}

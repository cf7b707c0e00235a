import type { PlanApproval, PlanRecord } from "@gatehouse/contract/records";
import type { PlanSignature } from "@gatehouse/contract/routes";
import type { Blobs } from "@gatehouse/store/blobs";
import { readKeptStatement } from "./kept-statements.ts";
import { viewApproval } from "./view-plan.ts";

/** The approvals of a plan with their bytes, in the order in which they came. A plan has few. */
export async function listApprovals(
  blobs: Blobs,
  { approvals = [] }: PlanRecord,
): Promise<{ items: PlanSignature[]; nextCursor: null }> {
  const items: PlanSignature[] = [];
  for (const one of approvals) items.push({ ...viewApproval(one), ...(await bytesOfApproval(blobs, one)) });
  return { items, nextCursor: null };
}

async function bytesOfApproval(
  blobs: Blobs,
  { container }: PlanApproval,
): Promise<Pick<PlanSignature, "statement" | "ssh">> {
  if (container === undefined) return { statement: null, ssh: null };
  const { statement, ssh } = await readKeptStatement(blobs, container);
  return { statement: statement.toBase64(), ssh: ssh.toBase64() };
}

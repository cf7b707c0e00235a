import { type PlanApproval, type PlanRecord, userKind } from "@gatehouse/contract/records";
import type { Reads } from "@gatehouse/store/decide";
import { approvalsOf } from "./view-plan.ts";

/**
 * The approvals of a plan that count for what is begun now: those of accounts that are there and not disabled. Whoever was shut out
 * since has no word left here. Hosts know no accounts: what was sent already is not called back by it.
 */
export async function readCounted(
  read: Pick<Reads, "get">,
  plan: Pick<PlanRecord, "approvals">,
): Promise<PlanApproval[]> {
  const approvals = approvalsOf(plan);
  const users = [...new Set(approvals.map(({ user }) => user))];
  const standing = await Promise.all(users.map(async (id) => ((await isStanding(read, id)) ? [id] : [])));
  const counted = new Set(standing.flat());
  return approvals.filter(({ user }) => counted.has(user));
}

async function isStanding(read: Pick<Reads, "get">, id: string): Promise<boolean> {
  return (await read.get(userKind.key(id)))?.value.disabled === false;
}

import type { PlanState } from "@gatehouse/contract";
import type { PlanRecord } from "@gatehouse/contract/records";
import type { Principal } from "../../platform/route/index.ts";
import { readServerSettings } from "../settings/index.ts";
import { mayApprove } from "./approve-plan.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { approvalsOf } from "./view-plan.ts";

/** Plans in review that somebody could approve and has not. */
export async function openWaitingFor(
  { store }: Pick<PlansDeps, "store">,
  principal: Principal,
): Promise<(plan: PlanRecord, state: PlanState) => boolean> {
  const settings = await readServerSettings(store);
  return (plan, state) =>
    state === "in_review" &&
    principal.scopes.has("plan:approve") &&
    mayApprove(plan, settings, principal) &&
    !approvalsOf(plan).some(({ user }) => user === principal.id);
}

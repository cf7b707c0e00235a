import { fault } from "@gatehouse/contract";
import type { PlanRecord } from "@gatehouse/contract/records";
import type { Principal } from "../../platform/route/index.ts";

/** Who takes a plan out of the way: its author, in person. Whoever approves plans rejects it instead, and says why. */
export function requireOwnPlan(
  { author }: Pick<PlanRecord, "author">,
  { id, credential }: Pick<Principal, "id" | "credential">,
  deed: "withdraw" | "replace",
): void {
  if (credential.class === "assistant") throw fault("plan.person_needed", `an assistant cannot ${deed} a plan`);
  if (author !== id) throw fault("plan.not_own", `only its author can ${deed} it`);
}

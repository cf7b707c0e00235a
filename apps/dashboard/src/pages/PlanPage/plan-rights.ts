import { mayPlanMove, type Scope } from "@gatehouse/contract";
import type { Plan } from "@gatehouse/contract/routes";
import { isOpenPlan } from "../../widgets/Plans/plan-state.ts";

/** What a person can do with a plan in this version. */
export type PlanAct = "offer" | "withdraw" | "reject";

export interface PlanRight {
  readonly act: PlanAct | "approve";
  readonly may: boolean;
  /** Why one may, or may not. */
  readonly says: string;
}

export interface PlanReader {
  readonly id: string;
  readonly scopes: readonly Scope[];
}

/** What the reader may do with a plan as it stands, and why. The server judges every act again. */
export function planRights(plan: Pick<Plan, "state" | "author">, reader: PlanReader): readonly PlanRight[] {
  if (!isOpenPlan(plan)) return [];
  return [nobodyApproves, ...offer(plan, reader), ...reject(plan, reader), ...withdraw(plan, reader)];
}

const nobodyApproves: PlanRight = {
  act: "approve",
  may: false,
  says: "Nothing can be approved or applied in this version; every host refuses changes.",
};

function offer({ state }: Pick<Plan, "state">, { scopes }: PlanReader): PlanRight[] {
  if (state === "draft") {
    const says = "Nobody can offer it for review: the lint refuses it. Make another plan in its place.";
    return [{ act: "offer", may: false, says }];
  }
  if (state !== "linted") return [];
  const may = scopes.includes("plan:create");
  return [{ act: "offer", may, says: holds(may, "offer it for review", "plan:create") }];
}

function reject({ state }: Pick<Plan, "state">, { scopes }: PlanReader): PlanRight[] {
  if (state !== "in_review" && state !== "approved") return [];
  const may = scopes.includes("plan:approve");
  return [{ act: "reject", may, says: holds(may, "reject it", "plan:approve") }];
}

function withdraw({ state, author }: Pick<Plan, "state" | "author">, { id, scopes }: PlanReader): PlanRight[] {
  if (!mayPlanMove(state, "rejected")) return [];
  if (author !== id) return [{ act: "withdraw", may: false, says: "You may not withdraw it: somebody else made it." }];
  if (!scopes.includes("plan:create"))
    return [{ act: "withdraw", may: false, says: holds(false, "withdraw it", "plan:create") }];
  return [{ act: "withdraw", may: true, says: "You may withdraw it: you made it." }];
}

function holds(may: boolean, what: string, scope: Scope): string {
  return may ? `You may ${what}: you hold ${scope}.` : `You may not ${what}: that needs ${scope}.`;
}

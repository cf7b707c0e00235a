import type { PlanState } from "@gatehouse/contract";
import { type PlanRecord, planKind } from "@gatehouse/contract/records";
import type { Plan } from "@gatehouse/contract/routes";
import { listRecords } from "@gatehouse/store/decide";
import type { Principal } from "../../platform/route/index.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { stateAt, viewPlan } from "./view-plan.ts";
import { openWaitingFor } from "./waiting-for.ts";

export interface PlanSurvey {
  /** In review, and the reader could approve them and has not. */
  readonly waiting: readonly Plan[];
  readonly running: readonly Plan[];
  readonly halted: readonly Plan[];
  readonly approved: readonly Plan[];
  /** Done since a time that was asked for. */
  readonly ended: readonly Plan[];
}

/** Plans by how they stand, the newest first, in one pass. */
export async function surveyPlans(
  { store }: Pick<PlansDeps, "store">,
  principal: Principal,
  { now, endedAfter }: { readonly now: number; readonly endedAfter: number },
): Promise<PlanSurvey> {
  const isWaiting = await openWaitingFor({ store }, principal);
  const survey = { waiting: [], running: [], halted: [], approved: [], ended: [] } as Record<keyof PlanSurvey, Plan[]>;
  for (const { value } of (await listRecords(store, planKind)).toReversed()) {
    const place = placeOf(value, stateAt(value, now), isWaiting);
    if (place === undefined || (place === "ended" && value.stateAt < endedAfter)) continue;
    survey[place].push(viewPlan(value, now));
  }
  return survey;
}

function placeOf(
  plan: PlanRecord,
  state: PlanState,
  isWaiting: (plan: PlanRecord, state: PlanState) => boolean,
): keyof PlanSurvey | undefined {
  if (state === "done") return "ended";
  if (state === "running" || state === "halted" || state === "approved") return state;
  return isWaiting(plan, state) ? "waiting" : undefined;
}

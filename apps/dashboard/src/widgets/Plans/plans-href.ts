import type { PlanState } from "@gatehouse/contract";

/** The list of plans: all, or those of one state. */
export function plansHref(state?: PlanState): string {
  return state === undefined ? "/plans" : `/plans?state=${state}`;
}

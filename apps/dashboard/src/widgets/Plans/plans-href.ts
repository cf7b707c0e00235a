import type { PlanState } from "@gatehouse/contract";

/** What waits for the reader, and what does not and why. */
export const approvalsHref = "/approvals";

/** Plans that the reader could approve and has not. */
export const waitingPlansHref = "/plans?waiting=me";

/** The list of plans: all, or those of one state. */
export function plansHref(state?: PlanState): string {
  return state === undefined ? "/plans" : `/plans?state=${state}`;
}

/** Where a plan is composed, to begin with a host, a tag, or a plugin. */
export function newPlanHref(start: Readonly<Partial<Record<"node" | "tag" | "plugin", string>>> = {}): string {
  const query = new URLSearchParams(start).toString();
  return query === "" ? "/plans/new" : `/plans/new?${query}`;
}

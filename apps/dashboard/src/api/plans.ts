import type { PlanState, TaskState, WantedRun } from "@gatehouse/contract";
import type {
  applyPlanRoute,
  approvePlanRoute,
  changeSettingsRoute,
  createPlanRoute,
  haltPlanRoute,
  Plan,
  PlanFinding,
  PlanSectionView,
  planRoute,
  planSectionsRoute,
  PlanTask,
  planTasksRoute,
  planWavesRoute,
  plansRoute,
  plansStopRoute,
  rejectPlanRoute,
  reviewPlanRoute,
  settingsRoute,
  stopPlansRoute,
  undoPlanRoute,
  withdrawPlanRoute,
} from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { type Answer, callApi, fetchApi } from "./client.ts";
import { listPages } from "./list-pages.ts";
import type { CallOf, DataOf } from "./route-call.ts";

export type { Plan, PlanFinding, PlanSectionView, PlanTask };
export type PlanWish = CallOf<typeof createPlanRoute>["body"];
export type UndoWish = CallOf<typeof undoPlanRoute>["body"];
export type PlansStop = DataOf<typeof plansStopRoute>;

/** All plans, those of one state, or those that the reader could approve and has not. */
export interface PlanChoice {
  readonly state?: PlanState | undefined;
  readonly waiting?: "me" | undefined;
}

const readPlans = (chosen: PlanChoice, limit: string, cursor: string | undefined, signal: AbortSignal) =>
  fetchApi<typeof plansRoute>("GET", "/api/plans", { signal, query: { ...chosen, limit, cursor } });

/** The newest first. */
export const planPages = (chosen: PlanChoice = {}) =>
  listPages(["plans", chosen], (cursor, signal) => readPlans(chosen, "50", cursor, signal));

/** The newest of them, for what names or counts them. More than one answer holds is said as "or more". */
export const newestPlansQuery = (state?: PlanState) =>
  queryOptions({
    queryKey: ["plans", "newest", { state }],
    queryFn: ({ signal }) => readPlans({ state }, "200", undefined, signal),
  });

/** Those that wait for the reader's word, as the menu counts them and the inbox shows them. */
export const waitingPlansQuery = queryOptions({
  queryKey: ["plans", "waiting"],
  queryFn: ({ signal }) => readPlans({ waiting: "me" }, "200", undefined, signal),
});

/** One plan with the ETag that a move of it has to send. */
export const planQuery = (id: string) =>
  queryOptions({
    queryKey: ["plan", id],
    queryFn: ({ signal }): Promise<Answer<Plan>> =>
      callApi<typeof planRoute>("GET", "/api/plans/:id", { params: { id }, signal }),
  });

/** What it does on each host. A plan is never changed, so that what was read once holds. */
export const planSectionPages = (id: string, node?: string) => ({
  ...listPages(["plan-sections", id, { node }], (cursor, signal) =>
    fetchApi<typeof planSectionsRoute>("GET", "/api/plans/:id/sections", {
      params: { id },
      query: { node, limit: "20", cursor },
      signal,
    }),
  ),
  staleTime: Number.POSITIVE_INFINITY,
});

/** All hosts of a plan, those in one state, or those that somebody may have to look at. */
export interface TaskChoice {
  readonly state?: TaskState | undefined;
  readonly notable?: "yes" | undefined;
}

/** What became of it on each host, in the plan's order. */
export const planTaskPages = (id: string, chosen: TaskChoice = {}) =>
  listPages(["plan-tasks", id, chosen], (cursor, signal) =>
    fetchApi<typeof planTasksRoute>("GET", "/api/plans/:id/tasks", {
      params: { id },
      query: { ...chosen, limit: "500", cursor },
      signal,
    }),
  );

/** How far each wave is. It is read again whenever the tasks are. */
export const planWavesQuery = (id: string) =>
  queryOptions({
    queryKey: ["plan-tasks", id, "waves"],
    queryFn: ({ signal }) => fetchApi<typeof planWavesRoute>("GET", "/api/plans/:id/waves", { params: { id }, signal }),
  });

/** `key` makes a repeated click harmless: the same key makes no second plan. */
export function createPlan(wish: PlanWish, key: string): Promise<Plan> {
  return fetchApi<typeof createPlanRoute>("POST", "/api/plans", { body: wish, headers: { "idempotency-key": key } });
}

/** The plan that takes an applied one back. `key` as for every plan. */
export function undoPlan(id: string, wish: UndoWish, key: string): Promise<Plan> {
  return fetchApi<typeof undoPlanRoute>("POST", "/api/plans/:id/undo", {
    params: { id },
    headers: { "idempotency-key": key },
    body: wish,
  });
}

/** A move of a plan, as it was when the person decided. */
export interface PlanMove {
  readonly id: string;
  readonly etag: string;
  readonly reason: string;
  /** In which order its hosts get it, and when it halts. Without it all of them get it at once. */
  readonly run?: WantedRun | undefined;
}

export function offerPlan({ id, etag }: PlanMove): Promise<Plan> {
  const headers = { "if-match": etag };
  return fetchApi<typeof reviewPlanRoute>("POST", "/api/plans/:id/review", { params: { id }, headers });
}

/** The reason may be empty. */
export function withdrawPlan({ id, etag, reason }: PlanMove): Promise<Plan> {
  return fetchApi<typeof withdrawPlanRoute>("POST", "/api/plans/:id/withdrawal", {
    params: { id },
    headers: { "if-match": etag },
    body: reason === "" ? {} : { reason },
  });
}

export function rejectPlan({ id, etag, reason }: PlanMove): Promise<Plan> {
  return fetchApi<typeof rejectPlanRoute>("POST", "/api/plans/:id/rejection", {
    params: { id },
    headers: { "if-match": etag },
    body: { reason },
  });
}

/** The reader's word to this server. It holds for hosts whose root trusts the server; a page cannot sign for the others. */
export function approvePlanForServer({ id, etag }: PlanMove): Promise<Plan> {
  return fetchApi<typeof approvePlanRoute>("POST", "/api/plans/:id/approvals", {
    params: { id },
    headers: { "if-match": etag },
    body: { server: true },
  });
}

export function applyPlan({ id, etag, run }: PlanMove): Promise<Plan> {
  return fetchApi<typeof applyPlanRoute>("POST", "/api/plans/:id/apply", {
    params: { id },
    headers: { "if-match": etag },
    ...(run !== undefined && { body: run }),
  });
}

/** Holds for the plan as it is by now: seconds count. */
export function haltPlan({ id, reason }: PlanMove): Promise<Plan> {
  return fetchApi<typeof haltPlanRoute>("POST", "/api/plans/:id/halt", { params: { id }, body: { reason } });
}

/** What owners decided; only they can read it. */
export const serverSettingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => fetchApi<typeof settingsRoute>("GET", "/api/settings", { signal }),
});

export const plansStopQuery = queryOptions({
  queryKey: ["plans-stop"],
  queryFn: ({ signal }) => fetchApi<typeof plansStopRoute>("GET", "/api/plans/stop", { signal }),
});

export function stopPlans(reason: string): Promise<PlansStop> {
  return fetchApi<typeof stopPlansRoute>("PUT", "/api/plans/stop", { body: { reason } });
}

export async function endPlansStop(): Promise<void> {
  await fetchApi<typeof changeSettingsRoute>("PATCH", "/api/settings", { body: { plans: { stopped: null } } });
}

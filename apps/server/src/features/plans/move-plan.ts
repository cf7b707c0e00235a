import { type AuditEntry, fault, mayPlanMove, type PlanState, type Scope } from "@gatehouse/contract";
import type { PlanRecord } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { put } from "@gatehouse/store/decide";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import { getPlan } from "./make-plan.ts";
import { requireOwnPlan } from "./own-plan.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { stateAt } from "./view-plan.ts";

/** The plan that is meant, and the version the caller has seen. */
export interface TargetPlan {
  readonly id: string;
  readonly version: number;
}

/** One way in which a person moves a plan. */
interface Move {
  readonly to: PlanState;
  readonly scope: Scope;
  /** Refuses what the state alone does not. */
  readonly judge: (plan: PlanRecord, principal: Principal) => void;
  readonly entry: (facts: EntryFacts) => AuditEntry;
}

interface EntryFacts {
  readonly request: RequestFacts;
  readonly actor: string;
  readonly subject: string;
  readonly detail: { readonly digest: string; readonly title: string; readonly from: PlanState };
  readonly reason: string | undefined;
}

export const moves = {
  offer: {
    to: "in_review",
    scope: "plan:create",
    judge: ({ findings }, { credential }) => {
      if (credential.class === "assistant") throw fault("plan.person_needed", "an assistant cannot offer a plan");
      if (findings.refuse > 0) throw fault("plan.lint_refused", `the lint refuses it for ${findings.refuse} reasons`);
    },
    entry: ({ request, actor, subject, detail }) =>
      entryOf(request, { action: "plan.offered", actor, subject, detail }),
  },
  withdraw: {
    to: "rejected",
    scope: "plan:create",
    judge: (plan, principal) => requireOwnPlan(plan, principal, "withdraw"),
    entry: ({ request, reason, detail, ...what }) =>
      entryOf(request, {
        action: "plan.withdrawn",
        ...what,
        detail: { ...detail, ...(reason !== undefined && { reason }) },
      }),
  },
  reject: {
    to: "rejected",
    scope: "plan:approve",
    judge: ({ state }) => {
      if (state !== "in_review" && state !== "approved") {
        throw fault("plan.move_refused", `it is ${state}, and nobody was asked to look at it`);
      }
    },
    entry: ({ request, reason = "", detail, ...what }) =>
      entryOf(request, { action: "plan.rejected", ...what, detail: { ...detail, reason } }),
  },
} as const satisfies Record<string, Move>;

/** Moves a plan as a person asks for it: only along the table of states, and only as it was seen. */
export async function movePlan(
  deps: Pick<PlansDeps, "decide" | "requireRights">,
  move: keyof typeof moves,
  principal: Principal,
  target: TargetPlan,
  given: { readonly reason?: string | undefined; readonly request: RequestFacts },
): Promise<StoredRecord<PlanRecord>> {
  const { to, scope, judge, entry }: Move = moves[move];
  const { reason, request } = given;
  return deps.decide([target.id], async (read) => {
    await deps.requireRights(read, principal, { scope, now: request.now });
    const before = await getPlan(read, target.id);
    if (before.version !== target.version) {
      throw fault("request.stale", `the plan ${target.id} has changed since it was read`);
    }
    const from = stateAt(before.value, request.now);
    judge({ ...before.value, state: from }, principal);
    if (!mayPlanMove(from, to)) throw fault("plan.move_refused", `it is ${from}, from where nothing leads to ${to}`);
    const actor = actorOf(principal);
    const { reason: _, ...kept } = before.value;
    const after: PlanRecord = {
      ...kept,
      state: to,
      stateAt: request.now,
      movedBy: actor,
      ...(reason !== undefined && { reason }),
    };
    const detail = { digest: after.digest, title: after.title, from };
    return {
      entry: entry({ request, actor, subject: before.key.text, detail, reason }),
      changes: [put(before, after)],
      result: ({ version }) => ({ key: before.key, version, value: after }),
    };
  });
}

import { isPlanEnd, mayPlanMove, type PlanState } from "@gatehouse/contract";
import type { PlanApproval, PlanRecord, TaskRecord } from "@gatehouse/contract/records";
import type { Plan, PlanApprovalView } from "@gatehouse/contract/routes";

/** What a plan is at this moment: one whose time is over is expired, also before the sweep has said so. */
export function stateAt({ state, expiresAt }: Pick<PlanRecord, "state" | "expiresAt">, now: number): PlanState {
  return !isPlanEnd(state) && mayPlanMove(state, "expired") && expiresAt <= now ? "expired" : state;
}

/** Its tasks are on their way, or wait for a person to go on with it. */
export function isUnderWay({ state }: Pick<PlanRecord, "state">): boolean {
  return state === "running" || state === "halted";
}

/** In the order in which they came. A plan of before there were any has none. */
export function approvalsOf({ approvals = [] }: Pick<PlanRecord, "approvals">): readonly PlanApproval[] {
  return approvals;
}

/** The approval that a task was sent under; the first of those who signed the same statement. */
export function approvalOf(
  plan: Pick<PlanRecord, "approvals">,
  { approval }: Pick<TaskRecord, "approval">,
): PlanApproval | undefined {
  return approvalsOf(plan).find(({ id }) => id === approval);
}

export function viewPlan(record: PlanRecord, now: number): Plan {
  const state = stateAt(record, now);
  const isOver = state !== record.state;
  return {
    id: record.id,
    digest: record.digest,
    title: record.title,
    summary: record.summary,
    source: { ...record.source },
    author: record.author,
    createdAt: iso(record.createdAt),
    expiresAt: iso(record.expiresAt),
    state,
    stateAt: iso(isOver ? record.expiresAt : record.stateAt),
    movedBy: isOver ? "system" : record.movedBy,
    reason: isOver ? timeIsOver : (record.reason ?? null),
    replaces: record.replaces ?? null,
    replacedBy: record.replacedBy ?? null,
    undoes: record.undoes ?? null,
    nodes: record.nodes,
    waves: wavesOf(record),
    kinds: [...record.kinds],
    bytes: record.bytes,
    management: [...record.management],
    skipped: record.skipped.map((one) => ({ ...one })),
    findings: { ...record.findings },
    approvals: approvalsOf(record).map(viewApproval),
    awaiting: record.awaiting ?? null,
    needed: record.needed ?? null,
    ended: record.ended === undefined ? null : { ...record.ended },
  };
}

/** A plan of before there were waves had one once it was started. */
function wavesOf({ run, state }: PlanRecord): number | null {
  if (run !== undefined) return run.waves.length;
  return isUnderWay({ state }) || state === "done" ? 1 : null;
}

export function viewApproval(one: PlanApproval): PlanApprovalView {
  const { container: _, keyId, fingerprint, at, notBefore, notAfter, ...said } = one;
  return {
    ...said,
    keyId: keyId ?? null,
    fingerprint: fingerprint ?? null,
    at: iso(at),
    notBefore: iso(notBefore),
    notAfter: iso(notAfter),
  };
}

export const timeIsOver = "its time is over";

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

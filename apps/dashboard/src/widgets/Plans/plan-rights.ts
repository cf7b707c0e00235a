import { mayPlanMove, type Scope } from "@gatehouse/contract";
import type { Plan } from "@gatehouse/contract/routes";
import { isOpenPlan } from "./plan-state.ts";

/** What a person can do with a plan on its page. */
export type PlanAct = "approve" | "apply" | "offer" | "withdraw" | "reject" | "halt" | "undo";

export interface PlanRight {
  /** `sign`: approving with a key of one's own, which no page can do. */
  readonly act: PlanAct | "sign";
  readonly may: boolean;
  /** Why one may, or may not; `null` where another line says it already. */
  readonly says: string | null;
}

export interface PlanReader {
  readonly id: string;
  readonly scopes: readonly Scope[];
}

/** What is true beside the plan when somebody decides. */
export interface PlanSituation {
  readonly now: number;
  readonly isStopped: boolean;
  /** Whether authors may approve their own plans; `undefined` for whoever cannot read that. */
  readonly selfApproval: boolean | undefined;
  /** Whether the plan is for hosts that take this server's word, or may be: hosts that were not read yet are not ruled out. */
  readonly hasServerHosts: boolean;
  /** Whether a host has kept the change, and so has something to take back. */
  readonly hasApplied: boolean;
}

type Judged = Pick<Plan, "state" | "author" | "approvals" | "awaiting">;

/** What the reader may do with a plan as it stands, and why. The server judges every act again. */
export function planRights(plan: Judged, reader: PlanReader, situation: PlanSituation): readonly PlanRight[] {
  if (!isOpenPlan(plan)) return undo(plan, reader, situation);
  return [
    ...approve(plan, reader, situation),
    ...apply(plan, reader, situation),
    ...halt(plan, reader),
    ...undo(plan, reader, situation),
    ...offer(plan, reader),
    ...reject(plan, reader),
    ...withdraw(plan, reader),
  ];
}

function approve(plan: Judged, reader: PlanReader, situation: PlanSituation): PlanRight[] {
  const { state, approvals } = plan;
  if (state === "draft") return [];
  if (state === "linted") return [no("sign", "Nobody can approve it yet: it is not in review.")];
  const isOver = approvals.some(({ notAfter }) => !holdsAt(notAfter, situation.now));
  // What has ended has to be given again before the plan is begun.
  if (state !== "in_review" && !(state === "approved" && isOver)) return [];
  const hindrance = findHindrance(plan, reader, situation);
  if (hindrance !== undefined) return [no("sign", hindrance)];
  const mine = approvals.filter(({ user, notAfter }) => user === reader.id && holdsAt(notAfter, situation.now));
  const hasSigned = mine.some(({ kind }) => kind === "signed");
  const hasSaid = mine.some(({ kind }) => kind === "server");
  const says = holds(true, "approve it", "plan:approve");
  return [
    hasSigned ? no("sign", "You have signed it.") : { act: "sign", may: true, says },
    ...(situation.hasServerHosts
      ? [
          hasSaid
            ? no("approve", "You have approved it for hosts that trust this server.")
            : { act: "approve" as const, may: true, says: null },
        ]
      : []),
  ];
}

/** The first reason for which the reader cannot approve. */
function findHindrance(
  { author }: Judged,
  { id, scopes }: PlanReader,
  { isStopped, selfApproval }: PlanSituation,
): string | undefined {
  if (!scopes.includes("plan:approve")) return holds(false, "approve it", "plan:approve");
  if (author === id && selfApproval === false)
    return "You made it: somebody else approves it. Where one person runs everything, an owner can allow that.";
  if (author === id && selfApproval === undefined)
    return "You made it: somebody else approves it, unless an owner has allowed authors to.";
  if (isStopped) return "Nobody can approve it now: all plans are stopped.";
  return undefined;
}

function apply({ state, awaiting }: Judged, { scopes }: PlanReader, { isStopped }: PlanSituation): PlanRight[] {
  if (state === "in_review") {
    const waits = awaiting === null ? "its hosts wait" : awaiting === 1 ? "1 host waits" : `${awaiting} hosts wait`;
    return [no("apply", `Nobody can apply it yet: ${waits} for approvals.`)];
  }
  if (state !== "approved" && state !== "halted") return [];
  const what = state === "halted" ? "go on with it" : "apply it";
  if (!scopes.includes("plan:apply")) return [no("apply", holds(false, what, "plan:apply"))];
  if (isStopped) return [no("apply", "Nobody can apply it now: all plans are stopped.")];
  return [{ act: "apply", may: true, says: holds(true, what, "plan:apply") }];
}

function halt({ state }: Pick<Plan, "state">, { scopes }: PlanReader): PlanRight[] {
  if (state !== "running") return [];
  const may = scopes.includes("plan:stop");
  return [{ act: "halt", may, says: holds(may, "stop it", "plan:stop") }];
}

function undo({ state }: Pick<Plan, "state">, { scopes }: PlanReader, { hasApplied }: PlanSituation): PlanRight[] {
  if (!hasApplied || (state !== "done" && state !== "halted")) return [];
  const may = scopes.includes("plan:create");
  return [{ act: "undo", may, says: holds(may, "draw up the plan that takes it back", "plan:create") }];
}

function offer({ state }: Pick<Plan, "state">, { scopes }: PlanReader): PlanRight[] {
  if (state === "draft") {
    const says = "Nobody can offer it for review: the lint refuses it. Make another plan in its place.";
    return [no("offer", says)];
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
  if (author !== id) return [no("withdraw", "You may not withdraw it: somebody else made it.")];
  if (!scopes.includes("plan:create")) return [no("withdraw", holds(false, "withdraw it", "plan:create"))];
  return [{ act: "withdraw", may: true, says: "You may withdraw it: you made it." }];
}

function holdsAt(notAfter: string, now: number): boolean {
  return new Date(notAfter).getTime() > now;
}

function no(act: PlanRight["act"], says: string): PlanRight {
  return { act, may: false, says };
}

function holds(may: boolean, what: string, scope: Scope): string {
  return may ? `You may ${what}: you hold ${scope}.` : `You may not ${what}: that needs ${scope}.`;
}

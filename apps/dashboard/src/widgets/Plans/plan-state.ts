import { isPlanEnd, type PlanState } from "@gatehouse/contract";
import type { Plan } from "@gatehouse/contract/routes";
import type { State } from "../../ui/StateMark.tsx";

/** Every state of a plan: its shape and its word. */
export const planStateWords: Readonly<Record<PlanState, { readonly state: State; readonly word: string }>> = {
  draft: { state: "bad", word: "Lint refuses" },
  linted: { state: "idle", word: "Linted" },
  in_review: { state: "wait", word: "In review" },
  approved: { state: "ok", word: "Approved" },
  running: { state: "run", word: "Running" },
  halted: { state: "back", word: "Halted" },
  done: { state: "ok", word: "Done" },
  rejected: { state: "refused", word: "Rejected" },
  expired: { state: "idle", word: "Expired" },
};

type Ended = Pick<Plan, "state" | "author" | "movedBy" | "reason" | "replacedBy"> & Partial<Pick<Plan, "ended">>;

/** The state, and where two ways lead to one the way that was taken. */
export function sayPlanState(plan: Ended): { readonly state: State; readonly word: string } {
  const { state, replacedBy, ended } = plan;
  if (isWithdrawn(plan)) return { state: "idle", word: "Withdrawn" };
  if (isStoppedByHand(plan)) return { state: "wait", word: "Stopped" };
  if (state === "expired" && replacedBy !== null) return { state: "idle", word: "Replaced" };
  // "Done" says that every host has answered, and not that it went well.
  if ((ended?.failed_after_change ?? 0) > 0) return { ...planStateWords[state], state: "bad" };
  if ((ended?.rolled_back ?? 0) > 0) return { ...planStateWords[state], state: "back" };
  if (ended !== undefined && ended !== null && (ended.applied ?? 0) === 0)
    return { ...planStateWords[state], state: "warn" };
  return planStateWords[state];
}

/** Only its author ends a plan without a reason. */
export function isWithdrawn({ state, author, movedBy, reason }: Ended): boolean {
  return state === "rejected" && reason === null && movedBy === author;
}

/** Whether hosts were, or are, sent it. */
export function wasStarted({ state }: Pick<Plan, "state">): boolean {
  return state === "running" || state === "halted" || state === "done";
}

/** A person has halted it; otherwise its hosts did, or the stop of all plans. */
export function isStoppedByHand({ state, movedBy }: Pick<Ended, "state" | "movedBy">): boolean {
  return state === "halted" && movedBy !== "system";
}

export function isOpenPlan({ state }: Pick<Plan, "state">): boolean {
  return !isPlanEnd(state);
}

/** How many approvals a plan has, and how many of its hosts still wait for more. */
export function sayApprovals({ approvals, awaiting, state }: Pick<Plan, "approvals" | "awaiting" | "state">) {
  const count = approvals.length === 0 ? "none" : `${approvals.length.toLocaleString("en-GB")} given`;
  const isAsked = state === "in_review" && awaiting !== null && awaiting > 0;
  return { count, waits: isAsked ? `${counted(awaiting, "host")} ${awaiting === 1 ? "waits" : "wait"}` : "" };
}

/** "2 refusals, 1 warning"; empty when the lint found nothing that somebody has to read first. */
export function findingWords({ refuse, warn }: Pick<Plan["findings"], "refuse" | "warn">): string {
  return [counted(refuse, "refusal"), counted(warn, "warning")].filter((words) => words !== "").join(", ");
}

function counted(count: number, noun: string): string {
  return count === 0 ? "" : `${count.toLocaleString("en-GB")} ${noun}${count === 1 ? "" : "s"}`;
}

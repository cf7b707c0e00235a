/**
 * What becomes of a plan. `draft`: made, and the lint refuses it; `linted`: the lint lets it pass, and nobody was asked to look
 * at it yet. Only people and what they set in motion move it further.
 */
export const planStates = [
  "draft",
  "linted",
  "in_review",
  "approved",
  "running",
  "halted",
  "done",
  "rejected",
  "expired",
] as const;
export type PlanState = (typeof planStates)[number];

/** Where each state leads, and nowhere else. A plan is never changed: another one takes its place. */
export const planMoves: Readonly<Record<PlanState, readonly PlanState[]>> = {
  draft: ["linted", "rejected", "expired"],
  linted: ["in_review", "rejected", "expired"],
  in_review: ["approved", "rejected", "expired"],
  approved: ["running", "rejected", "expired"],
  running: ["halted", "done"],
  halted: ["running", "done"],
  done: [],
  rejected: [],
  expired: [],
};

/**
 * What becomes of the task that a plan is for one node. Up to `checking` these are steps of the host's own journal; the rest are
 * ends. `failed_after_change` is the loudest: changed, and not wholly restored. `unknown`: no word from the host yet.
 */
export const taskStates = [
  "queued",
  "sent",
  "validated",
  "snapshotted",
  "armed",
  "applying",
  "checking",
  "applied",
  "rolled_back",
  "failed_before_change",
  "failed_after_change",
  "refused",
  "stale",
  "unknown",
] as const;
export type TaskState = (typeof taskStates)[number];

/** How a change that a host has begun ends, in the host's own words. */
export const hostEnds = ["applied", "rolled_back", "failed_before_change", "failed_after_change"] as const;
export type HostEnd = (typeof hostEnds)[number];

/** The steps of a change that a host tells while it makes them. They are shown, and never kept. */
export const taskSteps = ["validated", "snapshotted", "armed", "applying", "checking"] as const;
export type TaskStepName = (typeof taskSteps)[number];

/** Where a task stands for whoever looks on: the step that its host has told of last, as long as it has not ended. */
export function taskStanding(state: TaskState, step: { readonly state: TaskStepName } | null): TaskState {
  const order: readonly TaskState[] = ["sent", ...taskSteps];
  const kept = order.indexOf(state);
  return kept >= 0 && step !== null && order.indexOf(step.state) > kept ? step.state : state;
}

/**
 * Where each state leads. Steps may be missed, because they are told while they happen and only the end is kept; a host's word
 * ends also what was given up as unknown.
 */
export const taskMoves: Readonly<Record<TaskState, readonly TaskState[]>> = {
  queued: ["sent", "refused"],
  sent: ["validated", "unknown", "refused", "stale", ...hostEnds],
  validated: ["snapshotted", "unknown", ...hostEnds],
  snapshotted: ["armed", "unknown", ...hostEnds],
  armed: ["applying", "unknown", ...hostEnds],
  applying: ["checking", "applied", "rolled_back", "failed_after_change", "unknown"],
  checking: ["applied", "rolled_back", "failed_after_change", "unknown"],
  unknown: ["refused", "stale", ...hostEnds],
  applied: [],
  rolled_back: [],
  failed_before_change: [],
  failed_after_change: [],
  refused: [],
  stale: [],
};

/** Nothing leads out of it. */
export function isPlanEnd(state: PlanState): boolean {
  return planMoves[state].length === 0;
}

export function mayPlanMove(from: PlanState, to: PlanState): boolean {
  return planMoves[from].includes(to);
}

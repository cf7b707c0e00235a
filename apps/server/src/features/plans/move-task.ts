import { type AuditDetail, type AuditEntry, taskMoves, type TaskState } from "@gatehouse/contract";
import { type PlanRecord, type TaskRecord } from "@gatehouse/contract/records";
import { type Decision, put } from "@gatehouse/store/decide";
import { readServerSettings } from "../settings/index.ts";
import { readCounted } from "./approver-accounts.ts";
import type { SentUnder } from "./choose-approval.ts";
import { getPlan } from "./make-plan.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { isTaskOver, taskKey } from "./task-records.ts";

type MoveDeps = Pick<PlansDeps, "decide" | "clock">;
type Task = Pick<TaskRecord, "plan" | "index">;

/** How a task ends, and why. */
export interface TaskEnd {
  readonly state: Extract<TaskState, "refused" | "stale" | "unknown">;
  readonly code: string;
  readonly detail: string;
}

/** `waits`: its plan was halted, all plans were stopped, or it is no longer queued. */
export type MarkedTask =
  | "sent"
  | "waits"
  /** An account whose word it was to be sent under is shut out since that was chosen. */
  | "shut out";

/** Says that a task is on its way, before it is: a server that dies meanwhile knows that the host may have it. Only what is `sent` may be. */
export function markSent(
  { decide, clock }: MoveDeps,
  { plan, index }: Task,
  { id: approval, users }: Pick<SentUnder, "id" | "users">,
): Promise<MarkedTask> {
  const key = taskKey(plan, index);
  return decide([key.text], async (read): Promise<Decision<MarkedTask>> => {
    const found = await read.get(key);
    const { value: of } = await getPlan(read, plan);
    const { stopped } = (await readServerSettings(read)).plans;
    if (found?.value.state !== "queued" || of.state !== "running" || stopped !== null)
      return { result: () => "waits" as const };
    const counted = (await readCounted(read, of)).filter(({ id }) => id === approval);
    if (!users.every((one) => counted.some(({ user }) => user === one))) return { result: () => "shut out" as const };
    const now = clock.now();
    return {
      entry: entryOfTask(now, "task.sent", found.value, { ...bytesOf(found.value, of.digest), approval }),
      changes: [put(found, { ...found.value, state: "sent", stateAt: now, approval })],
      result: () => "sent" as const,
    };
  });
}

/** Says how a task ended. One that has ended already stays as it is. */
export function endTask(
  deps: MoveDeps,
  task: Task,
  { digest }: Pick<PlanRecord, "digest">,
  end: TaskEnd,
): Promise<void> {
  return moveTask(deps, task, digest, end.state, end);
}

/** Says that nobody waits for the host's word any more: its connection ended, or the server did. */
export function markUnknown(deps: MoveDeps, task: Task, { digest }: Pick<PlanRecord, "digest">): Promise<void> {
  return moveTask(deps, task, digest, "unknown");
}

function moveTask(
  { decide, clock }: MoveDeps,
  { plan, index }: Task,
  digest: string,
  state: TaskEnd["state"],
  said?: Pick<TaskEnd, "code" | "detail">,
): Promise<void> {
  const key = taskKey(plan, index);
  return decide([key.text], async (read) => {
    const found = await read.get(key);
    const isGivenUp = found?.value.state === "unknown" && state === "unknown" && said !== undefined;
    const mayMove = found !== undefined && (isGivenUp || taskMoves[found.value.state].includes(state));
    if (!mayMove || isTaskOver(found.value)) return { result: () => undefined };
    const now = clock.now();
    return {
      entry: entryOfTask(now, "task.ended", found.value, { ...bytesOf(found.value, digest), state, ...said }),
      changes: [put(found, { ...found.value, state, stateAt: now, ...said })],
      result: () => undefined,
    };
  });
}

/** People look for what happened to a node. */
export function subjectOfTask({ node }: Pick<TaskRecord, "node">): string {
  return `node/${node}`;
}

function entryOfTask<Action extends "task.sent" | "task.ended">(
  at: number,
  action: Action,
  task: TaskRecord,
  detail: AuditDetail<Action>,
): AuditEntry<Action> {
  return { at, actor: "system", action, subject: subjectOfTask(task), outcome: "done", detail };
}

function bytesOf({ plan, name }: TaskRecord, digest: string) {
  return { plan, digest, name };
}

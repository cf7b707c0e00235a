import { type TaskState, taskStates } from "@gatehouse/contract";
import type { AuditEntryView, Plan } from "@gatehouse/contract/routes";
import { afterTask, sayTask, whyTask } from "./task-words.ts";

/** What one plan was for this host: how far it came, or how it ended. */
export interface HostPlan {
  readonly plan: string;
  readonly state: TaskState;
  readonly code: string | null;
  readonly at: string;
  /** The place in the log of what is said last about it. */
  readonly position: number;
  /** What it was sent under; `null` where it was not sent. */
  readonly approval: string | null;
}

/** One for each plan, the newest first, from entries of the log about the host's tasks, which come the newest first. */
export function hostPlans(entries: readonly AuditEntryView[]): readonly HostPlan[] {
  const told = entries.filter(({ action }) => action === "task.sent" || action === "task.ended");
  const byPlan = Map.groupBy(told, ({ detail }) => textOf(detail["plan"]) ?? "");
  return [...byPlan].flatMap(([plan, [newest, ...older]]) => {
    const state = newest?.action === "task.sent" ? "sent" : readState(newest?.detail["state"]);
    if (newest === undefined || plan === "" || state === undefined) return [];
    const sent = [newest, ...older].find(({ action }) => action === "task.sent");
    return [
      {
        plan,
        state,
        code: textOf(newest.detail["code"]),
        at: newest.at,
        position: newest.position,
        approval: textOf(sent?.detail["approval"]),
      },
    ];
  });
}

/** What became of it, what the host is like since, and who approved it. */
export function sayHostPlan(
  task: HostPlan,
  plan: Pick<Plan, "approvals"> | undefined,
  nameOf: (actor: string) => string,
): string {
  const after = afterTask({ ...task, outcome: "" });
  const names = (plan?.approvals ?? []).filter(({ id }) => id === task.approval).map(({ user }) => nameOf(user));
  const approved = names.length === 0 ? undefined : `Approved by ${[...new Set(names)].join(" and ")}.`;
  return [`${sayTask(task).word}.`, whyTask(task), after, approved].filter((part) => part !== undefined).join(" ");
}

function readState(text: unknown): TaskState | undefined {
  return taskStates.find((state) => state === text);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

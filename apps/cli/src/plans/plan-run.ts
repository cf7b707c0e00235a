import { isPlanEnd, type TaskState } from "@gatehouse/contract";
import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import { lastDigits } from "../nodes/say-node.ts";

/** A plan with its tasks, as they were seen together. */
export interface SeenRun {
  readonly plan: Plan;
  readonly tasks: readonly PlanTask[];
}

export type RunChange =
  | { readonly kind: "plan"; readonly words: string }
  | { readonly kind: "task"; readonly words: string; readonly task: PlanTask };

/** What is different now. Without anything before, where every task stands. */
export function runChanges(before: SeenRun | undefined, { plan, tasks }: SeenRun): RunChange[] {
  const known = new Map(before?.tasks.map((task) => [task.id, task.state]));
  const moved = tasks.filter(({ id, state }) => known.get(id) !== state);
  return [
    ...moved.map((task): RunChange => ({ kind: "task", words: sayTask(task), task })),
    ...(before === undefined || before.plan.state === plan.state
      ? []
      : [{ kind: "plan", words: `the plan is ${plan.state}` } as const]),
  ];
}

/** Tasks that a host has begun with: their ends are still to come, also when the plan was halted. */
const begun: readonly TaskState[] = ["sent", "validated", "snapshotted", "armed", "applying", "checking"];

/** Whether nothing more happens by itself. */
export function isRunOver({ plan, tasks }: SeenRun): boolean {
  if (isPlanEnd(plan.state)) return true;
  return plan.state === "halted" && !tasks.some(({ state }) => begun.includes(state));
}

/** How it ended, in one line. All is well when every host has applied it. */
export function sayRunEnd({ plan, tasks }: SeenRun): { readonly ok: boolean; readonly words: string } {
  const applied = tasks.filter(({ state }) => state === "applied").length;
  const ok = plan.state === "done" && applied === tasks.length;
  const rest = tasks.length - applied;
  const hosts = ok ? `every host applied it` : `${applied} of ${tasks.length} hosts applied it, ${rest} did not`;
  const absent = tasks.some(({ code }) => code === "apply.absent");
  const because = absent
    ? "; the agents of these hosts judge changes and do not make them yet: nothing was changed"
    : "";
  return { ok, words: `The plan is ${plan.state}: ${hosts}${because}` };
}

function sayTask({ name, node, state, code, detail }: PlanTask): string {
  const why = code === null ? "" : `: ${code}${detail === null ? "" : `: ${detail}`}`;
  return `${name} (${lastDigits(node)})  ${state}${why}`;
}

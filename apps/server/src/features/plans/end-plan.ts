import { addToCount } from "@gatehouse/base";
import { isPlanEnd, mayPlanMove, type TaskState } from "@gatehouse/contract";
import { planKind, type TaskRecord } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { put, remove } from "@gatehouse/store/decide";
import { readServerSettings } from "../settings/index.ts";
import { keepRows } from "./evidence.ts";
import { clearTasks } from "./keep-tasks.ts";
import { plansLimits } from "./limits.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { isTaskOver, readTasks, viewTask } from "./task-records.ts";

type EndDeps = Pick<PlansDeps, "store" | "decide" | "blobs" | "clock">;

/**
 * Ends a plan whose tasks have all ended: how each did becomes one blob, then one commit says so and begins to clear the records.
 * Whatever is interrupted before is done again at the next start; whatever is after is gone on with. False while a task has not.
 */
export async function endPlan(deps: EndDeps, id: string): Promise<boolean> {
  const { decide, blobs, clock } = deps;
  const found = await deps.store.get(planKind.key(id));
  const tasks: StoredRecord<TaskRecord>[] = [];
  for await (const task of readTasks(deps, id)) tasks.push(task);
  if (found === undefined || isPlanEnd(found.value.state)) {
    await clearTasks(deps, id);
    return true;
  }
  if (tasks.length !== found.value.nodes || !tasks.every(({ value }) => isTaskOver(value))) return false;
  const outcomes = await keepRows(
    blobs,
    tasks.map(({ value }) => viewTask(value)),
  );
  const counts = new Map<TaskState, number>();
  for (const { value } of tasks) addToCount(counts, value.state, 1);
  const ended = Object.fromEntries(counts);
  const isEnded = await decide([id], async (read) => {
    const before = await read.get(planKind.key(id));
    if (before === undefined || !mayPlanMove(before.value.state, "done")) return { result: () => true };
    // A host's word may have come for one that nobody waited for any more: then the blob is made again.
    const givenUp = tasks.filter(({ value }) => value.state === "unknown");
    const newest = await Promise.all(givenUp.map(({ key }) => read.get(key)));
    if (newest.some((record, at) => record?.version !== givenUp[at]?.version)) return { result: () => false };
    const now = clock.now();
    const { reason: _, ...plan } = before.value;
    return {
      entry: {
        at: now,
        actor: "system",
        action: "plan.done",
        subject: before.key.text,
        outcome: "done",
        detail: { digest: plan.digest, title: plan.title, ended },
      },
      changes: [
        put(before, { ...plan, state: "done", stateAt: now, movedBy: "system", outcomes, ended }),
        ...tasks.slice(0, plansLimits.tasksOfCommit).map((task) => remove(task)),
      ],
      result: () => true,
    };
  });
  if (isEnded) await clearTasks(deps, id);
  return isEnded;
}

/** Halts a plan while all plans are stopped. What was sent before is still answered by its hosts. */
export async function haltPlan({ decide, clock }: Pick<PlansDeps, "decide" | "clock">, id: string): Promise<void> {
  await decide([id], async (read) => {
    const found = await read.get(planKind.key(id));
    const { stopped } = (await readServerSettings(read)).plans;
    if (stopped === null || found?.value.state !== "running") return { result: () => undefined };
    const now = clock.now();
    const { digest, title } = found.value;
    const { reason } = stopped;
    return {
      entry: {
        at: now,
        actor: "system",
        action: "plan.halted",
        subject: found.key.text,
        outcome: "done",
        detail: { digest, title, reason },
      },
      changes: [put(found, { ...found.value, state: "halted", stateAt: now, movedBy: "system", reason })],
      result: () => undefined,
    };
  });
}

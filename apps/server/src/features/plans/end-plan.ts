import { addToCount } from "@gatehouse/base";
import { isPlanEnd, mayPlanMove, type TaskState } from "@gatehouse/contract";
import { planKind, type PlanRecord, type TaskRecord } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { put, remove } from "@gatehouse/store/decide";
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
  const ended = countStates(tasks);
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
        put(before, {
          ...plan,
          ...(plan.run !== undefined && { run: { ...plan.run, waves: endedWaves(plan.run.waves, tasks) } }),
          state: "done",
          stateAt: now,
          movedBy: "system",
          outcomes,
          ended,
        }),
        ...tasks.slice(0, plansLimits.tasksOfCommit).map((task) => remove(task)),
      ],
      result: () => true,
    };
  });
  if (isEnded) await clearTasks(deps, id);
  return isEnded;
}

function countStates(tasks: readonly StoredRecord<TaskRecord>[]): Partial<Record<TaskState, number>> {
  const counts = new Map<TaskState, number>();
  for (const { value } of tasks) addToCount(counts, value.state, 1);
  return Object.fromEntries(counts);
}

type Waves = NonNullable<PlanRecord["run"]>["waves"];

/** Its tasks are one blob from now on: how the waves ended is told without reading it. */
function endedWaves(waves: Waves, tasks: readonly StoredRecord<TaskRecord>[]): Waves {
  const byWave = Map.groupBy(tasks, ({ value }) => value.wave ?? 0);
  return waves.map((wave, at) => ({ ...wave, ended: countStates(byWave.get(at) ?? []) }));
}

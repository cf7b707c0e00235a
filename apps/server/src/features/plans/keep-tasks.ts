import { newId } from "@gatehouse/base";
import { type PlanRecord, type TaskRecord, taskKind } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { create, remove } from "@gatehouse/store/decide";
import { readEvidence } from "./evidence.ts";
import { plansLimits } from "./limits.ts";
import { getPlan } from "./make-plan.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { readTasks, taskKey } from "./task-records.ts";
import { isUnderWay } from "./view-plan.ts";
import { readWaveOrder } from "./wave-order.ts";

type KeepDeps = Pick<PlansDeps, "store" | "decide" | "blobs" | "clock">;

/** Tasks for the sections from `first` on, as many as one commit takes. Their names are those of when the plan was made. */
export async function firstTasks(
  blobs: PlansDeps["blobs"],
  { id: plan, evidence }: Pick<PlanRecord, "id" | "evidence">,
  {
    first,
    now,
    waveOf,
  }: { readonly first: number; readonly now: number; readonly waveOf: (section: number) => number },
): Promise<TaskRecord[]> {
  const rows = await readEvidence(blobs, evidence, first, plansLimits.tasksOfCommit);
  return rows.map(({ node, name }, at) => ({
    id: newId("task", now),
    plan,
    index: first + at,
    node,
    name,
    ...(waveOf(first + at) > 0 && { wave: waveOf(first + at) }),
    state: "queued",
    stateAt: now,
  }));
}

/** Makes what is missing of a plan's tasks: all but the first of them after the start, or the rest where a start was interrupted. */
export async function keepMissingTasks(deps: KeepDeps, plan: PlanRecord): Promise<void> {
  const waveOf = await readWaveOrder(deps.blobs, plan);
  for (let first = 0; first < plan.nodes; first += plansLimits.tasksOfCommit) {
    const last = Math.min(plan.nodes, first + plansLimits.tasksOfCommit) - 1;
    // They are made in groups, in order: a group whose last one is there is whole.
    if ((await deps.store.get(taskKey(plan.id, last))) !== undefined) continue;
    await keepGroup(deps, plan, { first, waveOf });
  }
}

async function keepGroup(
  { decide, blobs, clock }: KeepDeps,
  plan: PlanRecord,
  from: { readonly first: number; readonly waveOf: (section: number) => number },
): Promise<void> {
  const now = clock.now();
  const tasks = await firstTasks(blobs, plan, { ...from, now });
  await decide([plan.id], async (read) => {
    const { key, value } = await getPlan(read, plan.id);
    const found = await Promise.all(tasks.map((task) => read.get(taskKey(plan.id, task.index))));
    const missing = tasks.filter((_, at) => found[at] === undefined);
    if (missing.length === 0 || !isUnderWay(value)) return { result: () => undefined };
    return {
      entry: {
        at: now,
        actor: "system",
        action: "task.queued",
        subject: key.text,
        outcome: "done",
        detail: { plan: plan.id, digest: plan.digest, tasks: missing.length },
      },
      changes: missing.map((task) => create(taskKey(plan.id, task.index), task)),
      result: () => undefined,
    };
  });
}

/** Clears the tasks of a plan that has ended, in groups; how they ended stands in the plan's own blob by then. */
export async function clearTasks(deps: Pick<PlansDeps, "store" | "decide" | "clock">, plan: string): Promise<void> {
  for (;;) {
    const group = await takeSome(readTasks(deps, plan), plansLimits.tasksOfCommit);
    if (group.length === 0) return;
    await deps.decide([plan], async (read) => {
      // Read again in its turn: somebody else may be clearing the same ones.
      const found = await Promise.all(group.map(({ key }) => read.get(key)));
      const left = found.filter((record) => record !== undefined);
      if (left.length === 0) return { result: () => undefined };
      return {
        entry: {
          at: deps.clock.now(),
          actor: "system",
          action: "task.cleared",
          subject: `plan/${plan}`,
          outcome: "done",
          detail: { plan, tasks: left.length },
        },
        changes: left.map((record) => remove(record)),
        result: () => undefined,
      };
    });
  }
}

/** Plans that have task records, each once. */
export async function plansWithTasks({ store }: Pick<PlansDeps, "store">): Promise<string[]> {
  const plans: string[] = [];
  for (;;) {
    // Behind every task of the last one: no place of a section sorts after this character.
    const last = plans.at(-1);
    const after = last === undefined ? undefined : taskKind.key(`${last}.~`);
    const [found] = await store.list(taskKind, { limit: 1, ...(after !== undefined && { after }) });
    if (found === undefined) return plans;
    plans.push(found.value.plan);
  }
}

async function takeSome(
  tasks: AsyncIterable<StoredRecord<TaskRecord>>,
  most: number,
): Promise<StoredRecord<TaskRecord>[]> {
  const some: StoredRecord<TaskRecord>[] = [];
  for await (const task of tasks) {
    some.push(task);
    if (some.length === most) break;
  }
  return some;
}

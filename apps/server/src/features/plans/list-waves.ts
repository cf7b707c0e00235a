import { addToCount } from "@gatehouse/base";
import type { TaskState, WaveState } from "@gatehouse/contract";
import type { PlanRecord, TaskRecord } from "@gatehouse/contract/records";
import type { PlanWave, PlanWaves } from "@gatehouse/contract/routes";
import { isUnderWay } from "./view-plan.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { isTaskOver, readTasks } from "./task-records.ts";
import { runOrderOf } from "./wave-book.ts";

/** Where the tasks of a plan are, wave by wave. */
export interface CountedTasks {
  /** Waves up to this one are open. */
  readonly open: number;
  readonly waves: readonly ReadonlyMap<TaskState, number>[];
}

/** The waves of a plan: of one that has ended from its record, of one under way as the runner knows them. None before it is started. */
export async function listWaves(
  deps: Pick<PlansDeps, "store">,
  plan: PlanRecord,
  known: CountedTasks | undefined,
): Promise<PlanWaves> {
  const order = runOrderOf(plan);
  const isStarted = plan.run !== undefined || isUnderWay(plan) || plan.state === "done";
  const counted = isUnderWay(plan) ? (known ?? (await countTasks(deps, plan))) : undefined;
  const items = order.waves.map(({ kind, tag, nodes, ended }, index): PlanWave => {
    const tasks = counted?.waves[index] ?? new Map(Object.entries(ended ?? plan.ended ?? {}) as [TaskState, number][]);
    const state = counted === undefined ? "ended" : stateOf(index, nodes, tasks, counted);
    return { index, kind, tag: tag ?? null, nodes, state, tasks: Object.fromEntries(tasks) };
  });
  return { items: isStarted ? items : [], halt: order.halt };
}

function stateOf(
  index: number,
  nodes: number,
  tasks: ReadonlyMap<TaskState, number>,
  { open }: Pick<CountedTasks, "open">,
): WaveState {
  const under = (tasks.get("queued") ?? 0) + (tasks.get("sent") ?? 0);
  const all = [...tasks.values()].reduce((sum, count) => sum + count, 0);
  if (all === nodes && under === 0) return "ended";
  return index <= open ? "open" : "shut";
}

/** From the records, for the moment between the start of a server and the runner's own look at them. */
async function countTasks(deps: Pick<PlansDeps, "store">, plan: PlanRecord): Promise<CountedTasks> {
  const waves = runOrderOf(plan).waves.map(() => new Map<TaskState, number>());
  let open = 0;
  for await (const { value } of readTasks(deps, plan.id)) {
    const wave = value.wave ?? 0;
    addToCount(waves[wave] ?? new Map(), stateInWave(value), 1);
    if (value.approval !== undefined) open = Math.max(open, wave);
  }
  return { open, waves };
}

/** One whose host has not said how it ended is still under way. */
export function stateInWave(task: Pick<TaskRecord, "state" | "code">): TaskState {
  if (isTaskOver(task)) return task.state;
  return task.state === "queued" ? "queued" : "sent";
}

import type { TaskState } from "@gatehouse/contract";
import type { PlanRecord, TaskRecord } from "@gatehouse/contract/records";
import type { PlanTask } from "@gatehouse/contract/routes";
import { readRows } from "./evidence.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { isTaskOver, type KeptTask, readTasks, viewTask } from "./task-records.ts";
import { toldIn } from "./told-in.ts";

export interface TasksPage {
  readonly state?: TaskState | undefined;
  /** Without those that wait, and those that have the change. */
  readonly isNotable?: boolean | undefined;
  /** The place in the plan at which the page begins. */
  readonly first: number;
  readonly limit: number;
}

export interface ListTasksDeps extends Pick<PlansDeps, "store" | "blobs"> {
  /** What the host said last of a task that is not over; null where it said nothing. */
  readonly stepOf: (task: Pick<TaskRecord, "plan" | "node">) => PlanTask["step"];
}

/** What hosts have told of their logs is some ten thousand characters of each: a page ends before it is more than a client takes. */
const mostPageBytes = 4 * 1024 * 1024;

/** In these nobody has to look at a host. */
const quietStates: ReadonlySet<TaskState> = new Set<TaskState>(["queued", "applied"]);

/** What became of a plan on its hosts, from records while it runs and from its blob afterwards. None before it was started. */
export async function listTasks(
  deps: ListTasksDeps,
  { id, outcomes }: PlanRecord,
  { state, isNotable = false, first, limit }: TasksPage,
): Promise<{ items: PlanTask[]; nextCursor: string | null }> {
  const all = outcomes === undefined ? keptTasks(deps, id, first) : endedTasks(deps, outcomes, first);
  const items: PlanTask[] = [];
  let bytes = 0;
  for await (const task of all) {
    if (state !== undefined && task.state !== state) continue;
    if (isNotable && quietStates.has(task.state)) continue;
    bytes += Buffer.byteLength(JSON.stringify(task));
    const isFull = items.length === limit || (items.length > 0 && bytes > mostPageBytes);
    if (isFull) return { items, nextCursor: String(task.index) };
    items.push(task);
  }
  return { items, nextCursor: null };
}

async function* keptTasks(
  deps: Pick<ListTasksDeps, "store" | "stepOf">,
  plan: string,
  first: number,
): AsyncGenerator<PlanTask> {
  for await (const { value } of readTasks(deps, plan, first)) {
    yield withTold(viewTask(value, isTaskOver(value) ? null : deps.stepOf(value)));
  }
}

/** As plans that ended before hosts signed their ends have them, or before there were waves. */
type OldTask = Omit<KeptTask, "outcome" | "step" | "wave"> & Partial<KeptTask>;

async function* endedTasks(
  { blobs }: Pick<PlansDeps, "blobs">,
  outcomes: string,
  first: number,
): AsyncGenerator<PlanTask> {
  for (let from = first; ; from += pieceItems) {
    const piece = await readRows<OldTask>(blobs, outcomes, from, pieceItems);
    for (const task of piece) yield withTold({ outcome: null, step: null, wave: 0, ...task });
    if (piece.length < pieceItems) return;
  }
}

/** About as many as a page holds of those that are large. */
const pieceItems = 100;

function withTold(task: KeptTask): PlanTask {
  return { ...task, told: toldIn(task.outcome) };
}

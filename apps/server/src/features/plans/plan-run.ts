import type { TaskState, TaskStepName } from "@gatehouse/contract";
import type { PlanRecord, TaskRecord } from "@gatehouse/contract/records";
import type { PlanTask } from "@gatehouse/contract/routes";
import { plansLimits } from "./limits.ts";
import { type CountedTasks, stateInWave } from "./list-waves.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { lastWordOf } from "./run-task.ts";
import type { TaskLane } from "./task-places.ts";
import { isTaskOver, readTasks } from "./task-records.ts";
import { approvalsOf } from "./view-plan.ts";
import { runOrderOf, WaveBook } from "./wave-book.ts";

/** A task that is not over, and what is known of it since the start of this process. */
export interface OpenTask {
  readonly id: string;
  readonly index: number;
  readonly wave: number;
  offers: number;
  /** Its host may have heard of it. */
  isSent: boolean;
  wasBusy: boolean;
  /** It is to be looked at although its wave is shut: its approval has ended, or its node is gone. */
  isDue: boolean;
  /** Since when its host has been away while its wave was open, by the monotonic clock. */
  awaySince: number | undefined;
  /** What the host said last. It is shown, and nothing is decided by it. */
  step: NonNullable<PlanTask["step"]> | undefined;
}

/** A plan that has begun and not ended. */
export interface PlanRun {
  /** By their nodes. */
  readonly open: Map<string, OpenTask>;
  readonly book: WaveBook;
  readonly lane: TaskLane;
  /** When an approval of the plan begins or ends: then its tasks are looked at again. */
  readonly moments: readonly number[];
  /** Why nothing more is begun, from the moment in which that is seen. */
  halting: string | undefined;
}

/** Reads what became of a plan's tasks so far. What this process knows of those that are open is kept. */
export async function readRun(
  { store, clock }: Pick<PlansDeps, "store" | "clock">,
  plan: PlanRecord,
  known: ReadonlyMap<string, OpenTask> | undefined,
): Promise<PlanRun> {
  const open = new Map<string, OpenTask>();
  const book = new WaveBook(runOrderOf(plan));
  // Nobody may go on with a plan whose approvals ended while the server was away, and its tasks would stand for ever.
  const isDue = approvalsOf(plan).every(({ notAfter }) => notAfter < clock.now());
  for await (const { value } of readTasks({ store }, plan.id)) {
    const { wave = 0, state } = value;
    if (value.approval !== undefined) book.noteSent(wave);
    if (isTaskOver(value)) book.noteEnd(wave, state);
    else open.set(value.node, known?.get(value.node) ?? openTaskOf(value, isDue));
  }
  const moments = approvalsOf(plan).flatMap((one) => [one.notBefore, one.notAfter + 1, lastWordOf(one) + 1]);
  const lane: TaskLane = plan.artifacts === undefined ? "plain" : "artifacts";
  return { open, book, lane, moments, halting: undefined };
}

function openTaskOf({ id, index, wave = 0, state }: TaskRecord, isDue: boolean): OpenTask {
  const isSent = state !== "queued";
  return { id, index, wave, offers: 0, isSent, wasBusy: false, isDue, awaySince: undefined, step: undefined };
}

/** A host has told how far it is; since when its timer runs is known as long as this process lives. */
export function noteStep(task: OpenTask, state: TaskStepName, at: string): void {
  task.step = { state, at, armedAt: state === "armed" ? at : (task.step?.armedAt ?? null) };
}

/** Whether there may be something to do for it now. */
export function isLookedAt({ book }: PlanRun, { isSent, isDue, wave }: OpenTask): boolean {
  return isSent || isDue || wave <= book.open;
}

/** Takes note of a task that has ended. From the one on that is too much, nothing more is begun. */
export function noteEnd(run: PlanRun, node: string, state: TaskState): void {
  const task = run.open.get(node);
  if (task === undefined) return;
  run.open.delete(node);
  run.book.noteEnd(task.wave, state);
  run.halting ??= run.book.findHalt();
}

/** Opens the next wave, and those behind it, unless a task keeps it shut. Gives the nodes that may have their tasks from now on. */
export function openWaves(run: PlanRun, holds: (node: string, task: OpenTask) => boolean): string[] {
  const { book, open } = run;
  const opened: string[] = [];
  while (book.hasNext && book.isProven && run.halting === undefined) {
    // Every one is asked: for how long a host has been away is known from when it was first looked at.
    const holding = [...open].filter(([node, task]) => task.wave <= book.open && holds(node, task));
    if (holding.length > 0) break;
    book.openNext();
    for (const [node, { wave }] of open) if (wave === book.open) opened.push(node);
  }
  return opened;
}

/** Whether a task keeps the next wave shut: only a host that is away, and to which nothing was sent, does not. */
export function holdsNextWave(
  task: OpenTask,
  { isHere, now }: { readonly isHere: boolean; readonly now: number },
): boolean {
  if (task.isSent || isHere) {
    task.awaySince = undefined;
    return true;
  }
  task.awaySince ??= now;
  return now - task.awaySince < plansLimits.awayMs;
}

/** Where the tasks are at this moment, wave by wave. */
export function countRun({ open, book }: PlanRun, waves: number): CountedTasks {
  const counted = Array.from({ length: waves }, (_, wave) => new Map(book.endedOf(wave)));
  for (const { wave, isSent } of open.values()) {
    const counts = counted[wave];
    const state = stateInWave({ state: isSent ? "sent" : "queued" });
    counts?.set(state, (counts.get(state) ?? 0) + 1);
  }
  return { open: book.open, waves: counted };
}

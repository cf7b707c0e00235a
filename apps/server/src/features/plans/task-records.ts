import { taskMoves } from "@gatehouse/contract";
import { type TaskRecord, taskKind } from "@gatehouse/contract/records";
import type { PlanTask } from "@gatehouse/contract/routes";
import type { StoredRecord } from "@gatehouse/store";
import type { PlansDeps } from "./plans-deps.ts";

/** Tasks stand under their plan and their place in it: one plan's tasks are read without the others, in its order. */
export function taskKey(plan: string, index: number) {
  return taskKind.key(`${plan}.${String(index).padStart(5, "0")}`);
}

/** Nothing more is done for it. One whose host said nothing stays `unknown`; it is over when a code says why nobody waits any more. */
export function isTaskOver({ state, code }: Pick<TaskRecord, "state" | "code">): boolean {
  return taskMoves[state].length === 0 || (state === "unknown" && code !== undefined);
}

/** The tasks of a plan in its order, from a place on. Read in pieces, so that others have their turn. */
export async function* readTasks(
  { store }: Pick<PlansDeps, "store">,
  plan: string,
  first = 0,
): AsyncGenerator<StoredRecord<TaskRecord>> {
  let after = first === 0 ? taskKind.key(`${plan}.`) : taskKey(plan, first - 1);
  for (;;) {
    const piece = await store.list(taskKind, { after, limit: pieceItems });
    for (const record of piece) {
      if (record.value.plan !== plan) return;
      yield record;
      after = record.key;
    }
    if (piece.length < pieceItems) return;
  }
}

const pieceItems = 500;

/** As it is kept of a plan that has ended: what was told stands in the signed outcome, and not a second time. */
export type KeptTask = Omit<PlanTask, "told">;

export function viewTask(
  { stateAt, approval, code, detail, outcome, wave = 0, ...task }: TaskRecord,
  step: PlanTask["step"] = null,
): KeptTask {
  return {
    ...task,
    wave,
    stateAt: new Date(stateAt).toISOString(),
    approval: approval ?? null,
    code: code ?? null,
    detail: detail ?? null,
    outcome: outcome ?? null,
    step,
  };
}

import type { PlanRecord } from "@gatehouse/contract/records";
import type { PlanTask } from "@gatehouse/contract/routes";
import { listTasks } from "./list-tasks.ts";
import type { PlansDeps } from "./plans-deps.ts";

/** Where a host stands with a plan: without its signed end, which may be long where it has told of logs. */
export type StandingTask = Pick<PlanTask, "index" | "node" | "name" | "state" | "stateAt">;

/** Every task of a plan that was started, by its host. */
export async function readTasksOf(
  deps: Pick<PlansDeps, "store" | "blobs">,
  plan: PlanRecord,
): Promise<ReadonlyMap<string, StandingTask>> {
  const tasks = new Map<string, StandingTask>();
  for (let cursor: string | null = "0"; cursor !== null; ) {
    const page = await listTasks({ ...deps, stepOf: () => null }, plan, { first: Number(cursor), limit: pageItems });
    for (const { index, node, name, state, stateAt } of page.items) {
      tasks.set(node, { index, node, name, state, stateAt });
    }
    cursor = page.nextCursor;
  }
  return tasks;
}

const pageItems = 500;

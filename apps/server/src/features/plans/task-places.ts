import { plansLimits } from "./limits.ts";

/** Tasks with artifacts take hours where a host is slow: they have places of their own, and stop none that bring little. */
export type TaskLane = "plain" | "artifacts";

const most: Readonly<Record<TaskLane, number>> = {
  plain: plansLimits.tasksAtOnce,
  artifacts: plansLimits.artifactTasksAtOnce,
};

/** Nodes whose task is being brought to them, each in one lane: a host has one task at a time. */
export class TaskPlaces {
  readonly #lanes = new Map<string, TaskLane>();
  readonly #taken: Record<TaskLane, number> = { plain: 0, artifacts: 0 };

  has(node: string): boolean {
    return this.#lanes.has(node);
  }

  isFull(lane: TaskLane): boolean {
    return this.#taken[lane] >= most[lane];
  }

  laneOf(node: string): TaskLane | undefined {
    return this.#lanes.get(node);
  }

  take(node: string, lane: TaskLane): void {
    this.#lanes.set(node, lane);
    this.#taken[lane] += 1;
  }

  give(node: string): void {
    const lane = this.#lanes.get(node);
    if (lane === undefined) return;
    this.#lanes.delete(node);
    this.#taken[lane] -= 1;
  }
}

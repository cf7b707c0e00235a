import { findProcess, memoryOf, processIds } from "../process-table.ts";

export interface WatchedGroup {
  readonly memoryBytes: number;
  readonly tasks: number;
  readonly over: (what: "memory" | "tasks", found: number) => void;
}

interface Entry extends WatchedGroup {
  members: readonly number[];
  peak: number;
}

const tickMs = 20;
const ticksPerScan = 5;
const scansPerFullScan = 10;

/**
 * Measures whole process groups: a container has no cgroup to do it. The members that are known every 20 ms, the whole process
 * table for new ones every 100 ms. A member cannot leave its group; the filter refuses it.
 */
export class GroupWatch {
  readonly #groups = new Map<number, Entry>();
  /** Processes that belong to no watched group; asked again once a second, because numbers come back. */
  #others = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;

  add(group: number, limits: WatchedGroup): void {
    this.#groups.set(group, { ...limits, members: [group], peak: 0 });
    this.#timer ??= setInterval(() => this.#tick(), tickMs);
  }

  /** Ends the watch and gives the most that was seen. */
  delete(group: number): number {
    const peak = this.#groups.get(group)?.peak ?? 0;
    this.#groups.delete(group);
    if (this.#groups.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#others.clear();
    }
    return peak;
  }

  #tick(): void {
    this.#ticks += 1;
    if (this.#ticks % ticksPerScan === 0) this.#scan();
    for (const entry of this.#groups.values()) {
      const memory = entry.members.reduce((sum, pid) => sum + memoryOf(pid), 0);
      entry.peak = Math.max(entry.peak, memory);
      if (memory > entry.memoryBytes) entry.over("memory", memory);
    }
  }

  #scan(): void {
    if (this.#ticks % (ticksPerScan * scansPerFullScan) === 0) this.#others.clear();
    const members = new Map<number, number[]>();
    const tasks = new Map<number, number>();
    for (const pid of processIds()) {
      if (this.#others.has(pid)) continue;
      const row = findProcess(pid);
      if (row === undefined) continue;
      if (!this.#groups.has(row.group)) {
        this.#others.add(pid);
        continue;
      }
      members.set(row.group, [...(members.get(row.group) ?? []), pid]);
      tasks.set(row.group, (tasks.get(row.group) ?? 0) + row.tasks);
    }
    for (const [group, entry] of this.#groups) {
      entry.members = members.get(group) ?? [];
      const count = tasks.get(group) ?? 0;
      if (count > entry.tasks) entry.over("tasks", count);
    }
  }
}

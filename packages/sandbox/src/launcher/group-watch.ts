import { lower, niceness } from "./low-priority.ts";
import { countDescriptors, countMaps, findProcess, memoryOf, type ProcessRow, processIds } from "../process-table.ts";

export interface WatchedGroup {
  readonly memoryBytes: number;
  readonly tasks: number;
  readonly maps: number;
  readonly descriptors: number;
  readonly over: (what: Watched, found: number) => void;
}

export type Watched = "memory" | "tasks" | "maps" | "descriptors";

interface Entry extends WatchedGroup {
  members: readonly number[];
  peak: number;
}

const tickMs = 20;
/** When one of them holds more than this share of its limit, it is watched more closely. */
const closeShare = 0.25;
const closeTickMs = 5;
const forgetMs = 1_000;
/** Maps and descriptors are listed, not counted, by the kernel. That takes longer than all the rest here. */
const looksPerListing = 5;

/**
 * Measures whole process groups: a container has no cgroup to do it. A member cannot leave its group; the filter refuses it.
 * Between two looks a plugin can still grow; looking more often as it grows keeps that small.
 */
export class GroupWatch {
  readonly #groups = new Map<number, Entry>();
  /** Processes that belong to no watched group; asked again after a second, because numbers come back. */
  #others = new Set<number>();
  #forgotten = 0;
  #isLooking = false;
  #looks = 0;

  add(group: number, limits: WatchedGroup): void {
    this.#groups.set(group, { ...limits, members: [group], peak: 0 });
    if (!this.#isLooking) setTimeout(() => this.#look(), tickMs);
    this.#isLooking = true;
  }

  /** Ends the watch and gives the most that was seen. */
  delete(group: number): number {
    const peak = this.#groups.get(group)?.peak ?? 0;
    this.#groups.delete(group);
    return peak;
  }

  /** How many of the group are alive, whether it is watched or not. One that is dead and waits for init to collect it is not. */
  countLiving(group: number): number {
    return this.#rows((row) => row.group === group).filter(({ state }) => state !== "Z" && state !== "X").length;
  }

  #look(): void {
    this.#isLooking = this.#groups.size > 0;
    if (!this.#isLooking) return this.#others.clear();
    this.#scan();
    let isClose = false;
    for (const entry of this.#groups.values()) {
      const memory = entry.members.reduce((sum, pid) => sum + memoryOf(pid), 0);
      entry.peak = Math.max(entry.peak, memory);
      isClose ||= memory > entry.memoryBytes * closeShare;
      if (memory > entry.memoryBytes) entry.over("memory", memory);
    }
    this.#looks += 1;
    if (this.#looks % looksPerListing === 0) this.#lookAtLists();
    setTimeout(() => this.#look(), isClose ? closeTickMs : tickMs);
  }

  #lookAtLists(): void {
    for (const entry of this.#groups.values()) {
      const descriptors = entry.members.reduce((sum, pid) => sum + countDescriptors(pid), 0);
      if (descriptors > entry.descriptors) entry.over("descriptors", descriptors);
      let maps = 0;
      for (const pid of entry.members) if (maps <= entry.maps) maps += countMaps(pid, entry.maps - maps);
      if (maps > entry.maps) entry.over("maps", maps);
    }
  }

  #scan(): void {
    const found = new Map<number, { members: number[]; tasks: number }>();
    for (const row of this.#rows(({ group }) => this.#groups.has(group))) {
      const seen = found.get(row.group) ?? { members: [], tasks: 0 };
      found.set(row.group, seen);
      seen.members.push(row.pid);
      seen.tasks += row.tasks;
      // A child that was made in the moment before its parent was lowered.
      if (row.niceness < niceness) lower(row.pid);
    }
    for (const [group, entry] of this.#groups) {
      const { members, tasks } = found.get(group) ?? { members: [], tasks: 0 };
      entry.members = members;
      if (tasks > entry.tasks) entry.over("tasks", tasks);
    }
  }

  /** Rows of the process table that matter; whoever belongs to nobody's group is not asked again for a while. */
  #rows(matters: (row: ProcessRow) => boolean): ProcessRow[] {
    if (performance.now() - this.#forgotten > forgetMs) {
      this.#others.clear();
      this.#forgotten = performance.now();
    }
    return processIds().flatMap((pid) => {
      const row = this.#others.has(pid) ? undefined : findProcess(pid);
      if (row === undefined) return [];
      if (matters(row)) return [row];
      if (!this.#groups.has(row.group)) this.#others.add(pid);
      return [];
    });
  }
}

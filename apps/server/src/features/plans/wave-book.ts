import { addToCount } from "@gatehouse/base";
import type { TaskState } from "@gatehouse/contract";
import type { PlanRecord } from "@gatehouse/contract/records";

export type PlanRunOrder = NonNullable<PlanRecord["run"]>;

/** How a plan runs; one that was started before there were waves has one, and nothing halts it. */
export function runOrderOf({ run, nodes }: Pick<PlanRecord, "run" | "nodes">): PlanRunOrder {
  return run ?? { waves: [{ kind: "rest", nodes }], halt: null, forgiven: [] };
}

/** Whether a host that has ended so has the change. Everything else is a reason to look before others get it. */
export function hasKept(state: TaskState): boolean {
  return state === "applied";
}

interface CountedWave {
  readonly nodes: number;
  readonly name: string;
  readonly ended: Map<TaskState, number>;
  /** Of those that have ended. */
  over: number;
  kept: number;
}

/**
 * The waves of a plan that runs. Nothing of it is kept: it is counted from the ends of the tasks, which hosts have signed, so that
 * it is the same after a restart.
 */
export class WaveBook {
  readonly #waves: readonly CountedWave[];
  readonly #order: PlanRunOrder;
  #open = 0;

  constructor(order: PlanRunOrder) {
    this.#order = order;
    this.#waves = order.waves.map(({ nodes, tag }, at) => {
      const name = `wave ${at + 1}${tag === undefined ? "" : ` (tag ${tag})`}`;
      return { nodes, name, ended: new Map(), over: 0, kept: 0 };
    });
  }

  /** Hosts of the waves up to this one may have their tasks. */
  get open(): number {
    return this.#open;
  }

  get hasNext(): boolean {
    return this.#open < this.#waves.length - 1;
  }

  /** A host of this wave was sent its task: then the wave was open. */
  noteSent(wave: number): void {
    this.#open = Math.max(this.#open, Math.min(wave, this.#waves.length - 1));
  }

  noteEnd(wave: number, state: TaskState): void {
    const found = this.#waves[wave];
    if (found === undefined) return;
    addToCount(found.ended, state, 1);
    found.over += 1;
    if (hasKept(state)) found.kept += 1;
  }

  /** How many of a wave's tasks have ended in which state. */
  endedOf(wave: number): ReadonlyMap<TaskState, number> {
    return this.#waves[wave]?.ended ?? new Map();
  }

  /** Tasks of the open waves that have not ended. */
  get left(): number {
    return this.#waves.slice(0, this.#open + 1).reduce((sum, { nodes, over }) => sum + nodes - over, 0);
  }

  /** Why nothing more is to be begun; undefined where nothing speaks against it. */
  findHalt(): string | undefined {
    const at = this.#waves.findIndex((wave, index) => this.#isTooMuch(wave, index));
    if (at >= 0) return sayWave(this.#waves[at] as CountedWave);
    const isUnproven = this.hasNext && this.left === 0 && !this.isProven;
    return isUnproven ? "no host that has ended has kept the change" : undefined;
  }

  /** The next wave may have what at least one host has kept, or what somebody went on with in spite of all. */
  get isProven(): boolean {
    return this.#waves.some(({ kept }) => kept > 0) || this.#order.forgiven.some((count) => count > 0);
  }

  openNext(): void {
    this.noteSent(this.#open + 1);
  }

  #isTooMuch({ over, kept, nodes }: CountedWave, wave: number): boolean {
    const { halt, forgiven } = this.#order;
    const found = over - kept - (forgiven[wave] ?? 0);
    if (halt === null || found <= 0) return false;
    return "after" in halt ? found >= halt.after : found * 100 >= halt.percent * nodes;
  }
}

function sayWave({ name, nodes, over, kept, ended }: CountedWave): string {
  const others = [...ended]
    .filter(([state]) => !hasKept(state))
    .map(([state, count]) => `${count} ${state.replaceAll("_", " ")}`);
  return `${over - kept} of ${nodes} hosts of ${name} have not kept the change: ${others.join(", ")}`;
}

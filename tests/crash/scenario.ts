import type { Settings } from "../support/suite-settings.ts";

/** One way to hurt a store. */
export interface Scenario {
  readonly name: string;
  readonly run: (settings: Settings<"crash">) => Promise<Outcome>;
}

export const countNames = ["cuts", "kills", "faults", "flips", "truncations", "corruptions", "checks"] as const;
export type CountName = (typeof countNames)[number];

export interface Outcome {
  readonly counts: Partial<Record<CountName, number>>;
  /** Acknowledged records that were not there afterwards. */
  readonly lost: number;
  /** Damage that was neither refused nor harmless. */
  readonly undetected: number;
  /** What went wrong, each a sentence that lets it be repeated. Empty means passed. */
  readonly failures: readonly string[];
  /** What a reader should know beside the counts. */
  readonly notes: readonly string[];
}

/** Collects one scenario's outcome while it runs. */
export class Tally {
  readonly counts: Partial<Record<CountName, number>> = {};
  readonly failures: string[] = [];
  readonly notes: string[] = [];
  lost = 0;
  undetected = 0;

  count(name: CountName, more = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + more;
  }

  /** A case that must not be: what was expected, what was found. */
  fail(kind: "lost" | "undetected" | "other", what: string): void {
    if (kind === "lost") this.lost += 1;
    if (kind === "undetected") this.undetected += 1;
    this.failures.push(what);
  }

  add(part: Outcome): void {
    for (const name of countNames) {
      const more = part.counts[name];
      if (more !== undefined) this.count(name, more);
    }
    this.lost += part.lost;
    this.undetected += part.undetected;
    this.failures.push(...part.failures);
    this.notes.push(...part.notes);
  }

  outcome(): Outcome {
    const { counts, failures, notes, lost, undetected } = this;
    return { counts, failures, notes, lost, undetected };
  }
}

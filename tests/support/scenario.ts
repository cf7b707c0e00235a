import type { SuiteName } from "../../tools/ci.ts";
import type { Settings } from "./suite-settings.ts";

/** One way to hurt what a suite tests. */
export interface Scenario<Name extends SuiteName> {
  readonly name: string;
  readonly run: (settings: Settings<Name>) => Promise<Outcome>;
}

export interface Outcome {
  /** What was tried, by name, in the order in which it is told: the same numbers in every run with the same seed. */
  readonly counts: Readonly<Record<string, number>>;
  /** What must never happen, by name, and how often it did. */
  readonly harms: Readonly<Record<string, number>>;
  /** What went wrong, each a sentence that lets it be repeated. */
  readonly failures: readonly string[];
  /** How often something went wrong. None means passed. */
  readonly failed: number;
  /** What a reader should know beside the counts, and what no two runs have in common. */
  readonly notes: readonly string[];
}

/** More than anybody reads; the rest is counted. */
const keptFailures = 200;

/** Collects an outcome while it comes about. */
export class Tally {
  readonly counts: Record<string, number> = {};
  readonly harms: Record<string, number> = {};
  readonly failures: string[] = [];
  readonly notes: string[] = [];
  failed = 0;

  count(name: string, more = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + more;
  }

  /** A case that must not be: what was expected, what was found, and what harm that is if it has a name. */
  fail(what: string, harm?: string): void {
    this.failed += 1;
    if (harm !== undefined) this.harms[harm] = (this.harms[harm] ?? 0) + 1;
    if (this.failures.length < keptFailures) this.failures.push(what);
  }

  add(part: Outcome): void {
    for (const [name, more] of Object.entries(part.counts)) this.count(name, more);
    for (const [name, more] of Object.entries(part.harms)) this.harms[name] = (this.harms[name] ?? 0) + more;
    this.failed += part.failed;
    this.failures.push(...part.failures);
    this.notes.push(...part.notes);
  }

  outcome(): Outcome {
    const { counts, harms, failures, failed, notes } = this;
    return { counts, harms, failures, failed, notes };
  }
}

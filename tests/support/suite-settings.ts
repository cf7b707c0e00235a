import { parseArgs } from "node:util";
import { type Counts, countsOf, gateSeed, type SuiteName } from "../../tools/ci.ts";

export interface Settings<Name extends SuiteName = SuiteName> {
  /** The form that .ci/run uses instead of the whole one. */
  readonly short: boolean;
  /** Everything random comes from it; the same seed repeats a run. */
  readonly seed: number;
  /** Names of what is wanted; everything when empty. */
  readonly only: readonly string[];
  /** How often each thing is done: `tools/ci.ts` has them all. */
  readonly counts: Counts<Name>;
}

/** `[--short] [--seed N] [--only name,name]`. The short form has the gate's seed, the whole form a new one each time. */
export function readSettings<Name extends SuiteName>(suite: Name, args: readonly string[]): Settings<Name> {
  const { values } = parseArgs({
    args: [...args],
    options: { short: { type: "boolean" }, seed: { type: "string" }, only: { type: "string" } },
  });
  const short = values.short ?? false;
  const drawn = short ? gateSeed : Math.floor(Math.random() * 1_000_000);
  const seed = values.seed === undefined ? drawn : Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed takes a whole number, found "${values.seed}"`);
  return { short, seed, only: values.only?.split(",") ?? [], counts: countsOf(suite, short) };
}

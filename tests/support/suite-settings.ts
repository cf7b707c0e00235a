import { parseArgs } from "node:util";

export interface Settings {
  /** The form that .ci/run uses instead of the whole one. */
  readonly short: boolean;
  /** Everything random comes from it; the same seed repeats a run. */
  readonly seed: number;
  /** Names of scenarios; all when empty. */
  readonly only: readonly string[];
}

/** `[--short] [--seed N] [--only name,name]` */
export function readSettings(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: { short: { type: "boolean" }, seed: { type: "string" }, only: { type: "string" } },
  });
  const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000_000) : Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed takes a whole number, found "${values.seed}"`);
  return { short: values.short ?? false, seed, only: values.only?.split(",") ?? [] };
}

import { parseArgs } from "node:util";

export interface Settings {
  /** Every journey in a few of its forms instead of all of them. */
  readonly short: boolean;
  /** Names and orders come from it; the same seed repeats a run. */
  readonly seed: number;
  /** A part of a check's name; everything when absent. */
  readonly only: string | undefined;
}

/** `[--short] [--seed N] [--only words]` */
export function readSettings(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: { short: { type: "boolean" }, seed: { type: "string" }, only: { type: "string" } },
  });
  const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed takes a whole number, found "${values.seed}"`);
  return { short: values.short ?? false, seed, only: values.only };
}

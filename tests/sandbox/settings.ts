import { parseArgs } from "node:util";

export interface Settings {
  readonly short: boolean;
  /** Everything random comes from it; the same seed repeats the order of the hostile runs. */
  readonly seed: number;
  /** Hostile runs over all places together. */
  readonly runs: number;
  /** Hostile runs stop after this time, and say how many there were. */
  readonly hostileSeconds: number;
  /** Names of places; all when empty. */
  readonly only: readonly string[];
}

/** `[--short] [--seed N] [--only host,container]` */
export function readSettings(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: { short: { type: "boolean" }, seed: { type: "string" }, only: { type: "string" } },
  });
  const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000_000) : Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed takes a whole number, found "${values.seed}"`);
  const short = values.short ?? false;
  return {
    short,
    seed,
    runs: short ? 1_000 : 10_000,
    hostileSeconds: short ? 240 : 3_600,
    only: values.only?.split(",") ?? [],
  };
}

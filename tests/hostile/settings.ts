import { readSettings as readSuiteSettings } from "../support/suite-settings.ts";

export interface Settings {
  readonly seed: number;
  readonly short: boolean;
  readonly requests: number;
  /** Number of the first request; requests are drawn from the seed and their number. */
  readonly first: number;
  readonly isSingle: boolean;
  readonly lanes: number;
  readonly slowClients: number;
}

/** `[--short] [--seed N] [--only N]` */
export function readSettings(args: readonly string[]): Settings {
  const { short, seed, only, counts } = readSuiteSettings("hostile", args);
  const [single] = only.map(Number);
  if (single !== undefined && !Number.isSafeInteger(single)) throw new Error("--only takes the number of a request");
  return {
    seed,
    short,
    isSingle: single !== undefined,
    requests: single === undefined ? counts.requests : 1,
    first: single ?? 0,
    lanes: 24,
    slowClients: counts.slowClients,
  };
}

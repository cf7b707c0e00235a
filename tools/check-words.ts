import { parseArgs } from "node:util";
import { gateSeed } from "./ci.ts";
import { parseSeed } from "./test-seed.ts";

export interface CheckWords {
  /** Leaves the tests out. */
  readonly fast: boolean;
  /** Leaves out the tests that wait for processes: in the gate they are the suite `check:processes`. */
  readonly short: boolean;
  readonly seed: number;
}

/** `[--fast] [--seed N] [--short]`. */
export function readCheckWords(words: readonly string[]): CheckWords {
  const { values } = parseArgs({
    args: [...words],
    options: { fast: { type: "boolean" }, seed: { type: "string" }, short: { type: "boolean" } },
  });
  const seed = values.seed === undefined ? gateSeed : parseSeed(values.seed);
  return { fast: values.fast ?? false, short: values.short ?? false, seed };
}

import { parseArgs } from "node:util";
import { gateSeed } from "./ci.ts";
import { parseSeed } from "./test-seed.ts";

export interface CheckWords {
  /** Leaves the tests out. */
  readonly fast: boolean;
  readonly seed: number;
}

/** `[--fast] [--seed N] [--short]`. Every suite takes --short; here both forms are one. */
export function readCheckWords(words: readonly string[]): CheckWords {
  const { values } = parseArgs({
    args: [...words],
    options: { fast: { type: "boolean" }, seed: { type: "string" }, short: { type: "boolean" } },
  });
  return { fast: values.fast ?? false, seed: values.seed === undefined ? gateSeed : parseSeed(values.seed) };
}

import { parseArgs } from "node:util";

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

export function readSettings(words: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...words],
    options: { short: { type: "boolean" }, seed: { type: "string" }, only: { type: "string" } },
  });
  const short = values.short === true;
  const isSingle = values.only !== undefined;
  const seed = wholeNumber("--seed", values.seed ?? String(Date.now() % 1_000_000));
  return {
    seed,
    short,
    isSingle,
    requests: isSingle ? 1 : short ? 2_000 : 10_000,
    first: isSingle ? wholeNumber("--only", values.only ?? "") : 0,
    lanes: 24,
    slowClients: short ? 100 : 400,
  };
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(value)) throw new Error(`${name} takes a whole number`);
  return value;
}

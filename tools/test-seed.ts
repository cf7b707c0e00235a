import { gateSeed } from "./ci.ts";

/** What the unit tests draw comes from the number in this variable; the gate's where it is not set. */
export const seedVariable = "TEST_SEED";

export function testSeed(environment: Readonly<Record<string, string | undefined>>): number {
  return parseSeed(environment[seedVariable] ?? String(gateSeed));
}

/** fast-check takes a number of 32 bits. */
export function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed >= 2 ** 31) throw new Error(`a seed is a whole number below 2^31, found "${text}"`);
  return seed;
}

/** Numbers that look random and are the same for the same seed, so that every failure can be repeated. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number, at least 0, below `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  fill(bytes: Uint8Array): void;
}

/** The generator sfc32: fast, and good enough to choose where power fails. */
export function seededRandom(seed: number): Random {
  let a = seed >>> 0;
  let b = Math.floor(seed / 0x1_0000_0000) >>> 0;
  let c = 0x9e3779b9;
  let counter = 1;
  const word = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  // Seeds that differ in one bit begin alike; after twelve rounds nothing of that is left.
  for (let round = 0; round < 12; round += 1) word();

  const next = (): number => word() / 0x1_0000_0000;
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
    fill: (bytes) => {
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = word();
    },
  };
}

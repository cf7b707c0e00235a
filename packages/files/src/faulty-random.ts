/** What decides where power fails and what it leaves: numbers that are the same for the same seed, so that every failure can be repeated. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number, at least 0, below `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  fill(bytes: Uint8Array): void;
}

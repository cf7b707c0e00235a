/** A signed head of the chain, as it is kept: what its frame holds. Hashes in hexadecimal, as everywhere in the store. */
export interface KeptHead {
  /** Counted from 1. */
  readonly n: number;
  /** SHA-256 of the frame of the head before. */
  readonly prev: string;
  readonly position: number;
  readonly link: string;
  readonly at: number;
}

/**
 * The heads that were signed. Beside the log, not in it: an entry for each would move the log, and so make the next. Only the newest
 * are kept: so many that whoever was away for 31 days can still be shown each of them.
 */
export interface KeptHeads {
  newest(): Promise<KeptHead | undefined>;
  /** Durable when it resolves. Refuses one that does not have the next number: no number is ever signed for two heads. */
  keep(head: KeptHead): Promise<void>;
  /** From a number on, in their order. None when that number is not kept, or not there yet. */
  list(from: number, limit: number): Promise<readonly KeptHead[]>;
}

/** One a minute at most. */
export const mostKeptHeads = 31 * 24 * 60 + 1;

/** The number that comes next. */
export function nextHeadNumber(newest: Pick<KeptHead, "n"> | undefined): number {
  return (newest?.n ?? 0) + 1;
}

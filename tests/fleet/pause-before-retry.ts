import { channelLimits } from "@gatehouse/channel";

export interface Retry {
  /** 1 is the first attempt after a connection was lost. */
  readonly attempt: number;
  /** From the last welcome. */
  readonly windowSeconds: number;
  /** What the refusal of the last attempt asked for. */
  readonly retryAfter?: number | undefined;
}

/**
 * How long an agent waits, in milliseconds: the first time anywhere in the window, then anywhere below a bound that doubles up
 * to a minute. `share` is from 0 up to 1.
 */
export function pauseBeforeRetry({ attempt, windowSeconds, retryAfter = 0 }: Retry, share: number): number {
  const bound = attempt <= 1 ? windowSeconds : Math.min(channelLimits.retrySeconds, 2 ** (attempt - 1));
  return Math.max(bound, retryAfter) * 1_000 * share;
}

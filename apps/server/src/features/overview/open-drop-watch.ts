import type { Clock } from "@gatehouse/base";
import { overviewLimits } from "./limits.ts";

export interface DropWatchDeps {
  /** How many rows were dropped since the start. */
  readonly dropped: () => number;
  readonly clock: Pick<Clock, "now">;
  readonly every: (ms: number, act: () => void) => () => void;
}

/** When a count that only grows has grown: since when without a longer pause, and when it was seen last. */
export function openDropWatch({ dropped, clock, every }: DropWatchDeps) {
  let count = dropped();
  let seen: { readonly since: number; readonly last: number } | undefined;
  const look = () => {
    const found = dropped();
    if (found <= count) return;
    count = found;
    const now = clock.now();
    const isLongAgo = seen === undefined || now - seen.last > overviewLimits.dropCountsMs;
    seen = { since: isLongAgo ? now : (seen?.since ?? now), last: now };
  };
  const close = every(overviewLimits.dropLookMs, look);
  return {
    dropping: () => {
      look();
      return seen;
    },
    close,
  };
}

import type { Clock } from "@gatehouse/base";
import { authLimits } from "./limits.ts";

/** How many records strangers may still cause. */
export interface RefusedBudget {
  /** Takes one, or says that there is none left. */
  take(): boolean;
}

/** Full at the start, and filled again little by little: a flood costs what is in it, and then almost nothing. */
export function openRefusedBudget(clock: Pick<Clock, "now">): RefusedBudget {
  const { burst, perHour } = authLimits.refusedRecords;
  let left: number = burst;
  let filledAt = clock.now();
  return {
    take: () => {
      const now = clock.now();
      left = Math.min(burst, left + (Math.max(now - filledAt, 0) / hour) * perHour);
      filledAt = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

const hour = 60 * 60_000;

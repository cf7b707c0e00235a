import { addToCount, type Clock } from "@gatehouse/base";
import { authLimits } from "./limits.ts";
import type { Tallies } from "./tallies.ts";

/**
 * The growing delays of lanes: three failures are free, then 1, 2, 4 … 60 seconds pass between attempts. An attempt that is
 * under way counts as failed, so that a thousand at once get no further than a thousand in a row.
 */
export interface Delays {
  /** By the first of the lanes that is open. */
  enter(lanes: readonly string[], factor?: () => number): Attempt;
  /** Failures of the time before the start. */
  prime(lane: string, failures: number, agoMs: number, factor?: number): void;
}

/** To be ended in one of the three ways, once, when it is judged; nothing when it has to wait. */
export interface Attempt {
  /** 0 when it may be judged, otherwise the whole seconds to wait; an attempt that has to wait is not counted. */
  readonly wait: number;
  succeeded(): void;
  failed(): void;
  /** It was not judged after all. */
  withdrawn(): void;
}

export interface DelaysDeps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly random: () => number;
  readonly tallies: Tallies;
}

export function openDelays({ clock, random, tallies }: DelaysDeps): Delays {
  /** Attempts of each lane that are being judged. */
  const underWay = new Map<string, number>();

  const waitOf = (lane: string): number => {
    const { count, openAt } = tallies.find(lane) ?? { count: 0, openAt: 0 };
    const judging = underWay.get(lane) ?? 0;
    if (count + judging < authLimits.freeFailures) return 0;
    if (judging > 0) return delayAfter(count + judging);
    return Math.max(0, openAt - clock.monotonic());
  };
  const jittered = (ms: number) => ms * (1 + authLimits.delayJitter * random());
  const leave = (lane: string) => addToCount(underWay, lane, -1);
  const judge = (lane: string, lanes: readonly string[], factor: () => number): Attempt => {
    addToCount(underWay, lane, 1);
    return {
      wait: 0,
      succeeded: () => {
        leave(lane);
        for (const own of lanes) tallies.forget(own);
      },
      failed: () => {
        leave(lane);
        const count = (tallies.find(lane)?.count ?? 0) + 1;
        tallies.keep(lane, { count, openAt: clock.monotonic() + jittered(delayAfter(count) * factor()) });
      },
      withdrawn: () => leave(lane),
    };
  };

  return {
    enter: (lanes, factor = () => 1) => {
      const waits = lanes.map(waitOf);
      const open = lanes[waits.indexOf(0)];
      if (open !== undefined) return judge(open, lanes, factor);
      // What is told is uncertain as well: whoever obeys comes no later, on average, than whoever measures.
      return hasToWait(Math.ceil(jittered(Math.min(...waits)) / 1_000));
    },
    prime: (lane, failures, agoMs, factor = 1) => {
      if (agoMs >= authLimits.rememberFailuresMs) return;
      const found = tallies.find(lane);
      const count = (found?.count ?? 0) + failures;
      const openAt = clock.monotonic() - Math.max(0, agoMs) + delayAfter(count) * factor;
      tallies.keep(lane, { count, openAt: Math.max(found?.openAt ?? openAt, openAt) });
    },
  };
}

export function hasToWait(wait: number): Attempt {
  return { wait, succeeded: () => undefined, failed: () => undefined, withdrawn: () => undefined };
}

/** How long after its last failure a lane has to wait, while few are at it. */
export function delayAfter(failures: number): number {
  if (failures < authLimits.freeFailures) return 0;
  return Math.min(authLimits.longestDelayMs, 1_000 * 2 ** Math.min(failures - authLimits.freeFailures, 16));
}

import type { Clock } from "@gatehouse/base";
import { channelLimits } from "@gatehouse/channel";

/** So many in any minute, and no more. */
export interface SlidingMinute {
  /** Counts one; false when it is one too many, which is not counted. */
  take(): boolean;
}

export function openSlidingMinute(clock: Pick<Clock, "monotonic">, most: number): SlidingMinute {
  let times: number[] = [];
  return {
    take: () => {
      const now = clock.monotonic();
      times = times.filter((time) => now - time < 60_000);
      if (times.length >= most) return false;
      times.push(now);
      return true;
    },
  };
}

/**
 * Counted in memory: the helper ends only after a minute in which nobody was connected with it, so that a count it forgets was over
 * anyway.
 */
export interface HelperMinutes {
  readonly states: SlidingMinute;
  /** Changes that are submitted, over all connections. */
  readonly tasks: SlidingMinute;
  /** Heads of the server's log. */
  readonly heads: SlidingMinute;
  /** Lines about changes that were refused: a server that sends many must not fill the journal. */
  readonly taskLines: SlidingMinute;
}

export const headsPerMinute = 20;
const tasksPerMinute = 12;
const taskLinesPerMinute = 12;

export function openHelperMinutes(clock: Pick<Clock, "monotonic">): HelperMinutes {
  return {
    states: openSlidingMinute(clock, channelLimits.statesPerMinute),
    tasks: openSlidingMinute(clock, tasksPerMinute),
    heads: openSlidingMinute(clock, headsPerMinute),
    taskLines: openSlidingMinute(clock, taskLinesPerMinute),
  };
}

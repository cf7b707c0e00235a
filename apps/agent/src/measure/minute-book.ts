import { metricLimits, type MetricValues } from "@gatehouse/contract";

/** A minute that was measured, named by the moment at which it began. */
export interface MeasuredMinute {
  readonly at: number;
  readonly values: MetricValues;
}

/** Numbers rise by one, whatever happens to the clock. */
export interface HeldMinute extends MeasuredMinute {
  readonly number: number;
}

/** The minutes that nobody has acknowledged. They are in memory alone: what a process measured goes with it. */
export interface MinuteBook {
  /** The oldest goes when there are too many. */
  add(minute: MeasuredMinute): void;
  /** Those behind a number, oldest first, as many as one message has. */
  after(number: number): readonly HeldMinute[];
  /** The server has everything up to a number. */
  forget(upTo: number): void;
  /** The host's clock was set: what it had named before is named by it now. */
  move(ms: number): void;
}

export function openMinuteBook(): MinuteBook {
  let last = 0;
  let held: readonly HeldMinute[] = [];
  return {
    add: ({ at, values }) => {
      last += 1;
      held = [...held, { number: last, at, values }].slice(-metricLimits.heldMinutes);
    },
    after: (number) => held.filter((each) => each.number > number).slice(0, metricLimits.sentMinutes),
    forget: (upTo) => {
      held = held.filter(({ number }) => number > upTo);
    },
    move: (ms) => {
      // A clock that stands before 1970 has no name for them.
      held = held.map((each) => ({ ...each, at: each.at + ms })).filter(({ at }) => at >= 0);
    },
  };
}

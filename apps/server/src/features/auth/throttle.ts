import type { Clock } from "@gatehouse/base";
import { authLimits } from "./limits.ts";

/**
 * The growing delay of one account: three failures are free, then 1, 2, 4 … 60 seconds pass between attempts. An attempt
 * counts as failed until it has succeeded, so that a thousand at once get no further than a thousand in a row.
 */
export interface Throttle {
  /** 0 when the attempt may be judged, otherwise the whole seconds to wait; an attempt that has to wait is not counted. */
  enter(account: Account): number;
  succeeded(account: Account): void;
  /** The attempt was not judged after all. */
  withdrawn(account: Account): void;
  /** Failures of the time before the start. */
  prime(account: Account, failures: number, agoMs: number): void;
}

/** Names of nobody are throttled like those of users, or the difference would tell which is which. */
export interface Account {
  readonly name: string;
  readonly isKnown: boolean;
}

interface Failures {
  count: number;
  /** On the clock that never goes back. */
  lastAt: number;
}

export function openThrottle(clock: Pick<Clock, "monotonic">): Throttle {
  // Users are never forgotten for the sake of invented names: who sends those could wash a user's failures away.
  const known = new Map<string, Failures>();
  let young = new Map<string, Failures>();
  let old = new Map<string, Failures>();

  const find = ({ name, isKnown }: Account): Failures | undefined => {
    const found = isKnown ? known.get(name) : (young.get(name) ?? old.get(name));
    if (found === undefined || clock.monotonic() - found.lastAt < authLimits.rememberFailuresMs) return found;
    forget({ name, isKnown });
    return undefined;
  };
  const keep = ({ name, isKnown }: Account, failures: Failures): void => {
    if (isKnown) {
      known.set(name, failures);
      return;
    }
    if (young.size >= authLimits.strangerNames / 2) {
      old = young;
      young = new Map();
    }
    young.set(name, failures);
  };
  const forget = ({ name }: Account): void => {
    known.delete(name);
    young.delete(name);
    old.delete(name);
  };

  return {
    enter: (account) => {
      const now = clock.monotonic();
      const failures = find(account) ?? { count: 0, lastAt: now };
      const wait = failures.lastAt + delayAfter(failures.count) - now;
      if (wait > 0) return Math.ceil(wait / 1_000);
      keep(account, { count: failures.count + 1, lastAt: now });
      return 0;
    },
    succeeded: forget,
    withdrawn: (account) => {
      const failures = find(account);
      if (failures === undefined) return;
      if (failures.count <= 1) forget(account);
      else keep(account, { ...failures, count: failures.count - 1 });
    },
    prime: (account, failures, agoMs) => {
      if (agoMs >= authLimits.rememberFailuresMs) return;
      const found = find(account);
      const lastAt = clock.monotonic() - Math.max(0, agoMs);
      keep(account, {
        count: (found?.count ?? 0) + failures,
        lastAt: Math.max(found?.lastAt ?? lastAt, lastAt),
      });
    },
  };
}

/** How long after its last failure an account has to wait. */
export function delayAfter(failures: number): number {
  if (failures < authLimits.freeFailures) return 0;
  return Math.min(authLimits.longestDelayMs, 1_000 * 2 ** Math.min(failures - authLimits.freeFailures, 16));
}

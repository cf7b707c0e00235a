import type { Clock } from "@gatehouse/base";
import { type Attempt, hasToWait, openDelays } from "./delays.ts";
import { authLimits } from "./limits.ts";
import { exactTallies, fadingSums, sketchTallies } from "./tallies.ts";

/** Who tries to sign in to which account, and from where. */
export interface SignInVisit {
  /** The name, whether anybody has it or not: both are throttled by the same cells, or the difference would tell which is which. */
  readonly account: string;
  /** The visitor's block of addresses (`strangerBlock`); absent where it is not known any more. */
  readonly block: string | undefined;
  /** The lane of a browser that has signed in to this account before. */
  readonly device?: string | undefined;
  /** The lane of an address or a block from which somebody has signed in to this account before. */
  readonly place?: string | undefined;
}

/**
 * Who guesses has to wait, and nobody else for them. Failures are counted per account and block of addresses. When many
 * blocks are at one account, their delays grow, and only those: the first attempts of a block are always judged, and a
 * device or a place that has signed in before has a lane of its own, which strangers cannot make slower.
 */
export interface Throttle {
  enter(visit: SignInVisit): Attempt;
  /** Failures of the time before the start, the oldest first. */
  prime(visit: SignInVisit, failures: number, agoMs: number): void;
}

export interface ThrottleDeps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly random: () => number;
}

export function openThrottle({ clock, random }: ThrottleDeps): Throttle {
  const forgetMs = authLimits.rememberFailuresMs;
  const own = openOwnDelays({ clock, random });
  const strangers = openDelays({
    clock,
    random,
    tallies: sketchTallies({ clock, forgetMs, cells: authLimits.strangerCells }),
  });
  const crowd = fadingSums({ clock, fadeMs: authLimits.usualFailuresMs, cells: authLimits.crowdCells });
  const factorOf = (account: string) => crowdFactor(crowd.of(account));

  const enterAsStranger = ({ account, block }: SignInVisit): Attempt => {
    const attempt = strangers.enter([strangerLane(account, block)], () => factorOf(account));
    const failed = () => {
      crowd.add(account, 1);
      attempt.failed();
    };
    return attempt.wait > 0 ? attempt : { ...attempt, failed };
  };

  return {
    enter: (visit) => {
      const lanes = [visit.device, visit.place].filter((lane) => lane !== undefined);
      if (lanes.length === 0) return enterAsStranger(visit);
      const attempt = own.enter(lanes);
      // A stolen cookie must not make its owner worse off than one who has none.
      if (attempt.wait === 0 || visit.place !== undefined) return attempt;
      const asStranger = enterAsStranger(visit);
      return asStranger.wait === 0 ? asStranger : hasToWait(Math.min(attempt.wait, asStranger.wait));
    },
    prime: ({ account, block, place }, failures, agoMs) => {
      if (place !== undefined) {
        own.prime(place, failures, agoMs);
        return;
      }
      crowd.add(account, failures, agoMs);
      if (block !== undefined) strangers.prime(strangerLane(account, block), failures, agoMs, factorOf(account));
    },
  };
}

/** Delays of lanes that nobody can invent: also those of proofs by people who are signed in. */
export function openOwnDelays({ clock, random }: ThrottleDeps) {
  const forgetMs = authLimits.rememberFailuresMs;
  return openDelays({ clock, random, tallies: exactTallies({ clock, forgetMs, most: authLimits.ownLanes }) });
}

/** How many times longer strangers wait for an account at which so many of them have failed lately. */
export function crowdFactor(failures: number): number {
  return Math.min(authLimits.largestCrowdFactor, Math.max(1, failures / authLimits.usualFailures) ** 2);
}

function strangerLane(account: string, block: string | undefined): string {
  return JSON.stringify([account, block]);
}

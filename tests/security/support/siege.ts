import { manualClock } from "@gatehouse/base";
import { openThrottle, type Throttle } from "../inside/throttle.ts";
import { Chance } from "./chance.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
/** The simulated clock moves so far at a time. */
const step = 10_000;

export interface Siege {
  /** Guesses that were judged, day by day. */
  readonly guesses: readonly number[];
  /** At which try each kind of owner was let in, the slowest of all hours. */
  readonly slowest: Readonly<Record<string, number>>;
}

/**
 * Some days of a siege on one account: every block guesses again as soon as it may. Every hour three people who know the
 * password sign in: from a browser that has been here, from a place that has been here, and from somewhere new.
 */
export function besiege(blocks: number, days: number): Siege {
  const clock = manualClock();
  const chance = new Chance(`a siege of ${blocks} blocks`);
  const throttle = openThrottle({ clock, random: () => chance.next() });
  const guesses = Array.from({ length: days }, () => 0);
  const slowest: Record<string, number> = {};
  const due = new Map<number, number[]>([[0, Array.from({ length: blocks }, (_, block) => block)]]);
  for (let at = 0; at < (days * day) / step; at += 1) {
    for (const block of due.get(at) ?? []) {
      const { judged, wait } = guessAll(throttle, `block ${block}`);
      const today = Math.floor((at * step) / day);
      guesses[today] = (guesses[today] ?? 0) + judged;
      const next = at + Math.max(1, Math.ceil((wait * 1_000) / step));
      const others = due.get(next);
      if (others === undefined) due.set(next, [block]);
      else others.push(block);
    }
    due.delete(at);
    if ((at * step) % (60 * minute) === 0) {
      for (const [who, own] of Object.entries(ownersOf(at))) {
        slowest[who] = Math.max(slowest[who] ?? 0, triesUntilIn(throttle, own));
      }
    }
    clock.advance(step);
  }
  return { guesses, slowest };
}

/** As often as it is judged; then it is told how long to wait. */
function guessAll(throttle: Throttle, block: string): { judged: number; wait: number } {
  for (let judged = 0; ; judged += 1) {
    const attempt = throttle.enter({ account: "admin", block });
    if (attempt.wait > 0) return { judged, wait: attempt.wait };
    attempt.failed();
  }
}

function ownersOf(at: number) {
  return {
    "a known browser": { block: `owner ${at}`, device: "device/1" },
    "a known place": { block: "office", place: "block/usr_1/office" },
    "somewhere new": { block: `hotel ${at}` },
  };
}

/** Ten at most: the clock stands still meanwhile. */
function triesUntilIn(throttle: Throttle, own: { block: string; device?: string; place?: string }): number {
  for (let tries = 1; tries < 10; tries += 1) {
    const attempt = throttle.enter({ account: "admin", ...own });
    if (attempt.wait > 0) continue;
    attempt.succeeded();
    return tries;
  }
  return Infinity;
}

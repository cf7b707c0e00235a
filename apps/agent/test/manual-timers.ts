import type { Timers } from "../src/host/timers.ts";

interface Waiting {
  readonly ms: number;
  readonly act: () => void;
}

/** Timers that a test ends by hand, by how long they were to last. */
export function manualTimers(): Timers & {
  /** How long the timers that run now were to last. */
  running(): number[];
  /** Ends every timer that was to last so long; says how many there were. */
  end(ms: number): number;
  /** Ends the timers that fit. */
  endWhere(fits: (ms: number) => boolean): number;
} {
  const waiting = new Set<Waiting>();
  const endWhere = (fits: (ms: number) => boolean) => {
    const over = [...waiting].filter(({ ms }) => fits(ms));
    for (const each of over) waiting.delete(each);
    for (const each of over) each.act();
    return over.length;
  };
  return {
    after: (ms, act) => {
      const each = { ms, act };
      waiting.add(each);
      return () => void waiting.delete(each);
    },
    running: () => [...waiting].map(({ ms }) => ms),
    end: (ms) => endWhere((each) => each === ms),
    endWhere,
  };
}

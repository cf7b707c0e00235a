/** Time arrives as a dependency, so that no test has to wait for it. */
export interface Clock {
  /** Milliseconds since 1970, for what people read. */
  now(): number;
  /** Milliseconds that never go back, for durations and deadlines. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** A clock that stands still until it is moved. */
export function manualClock(start = Date.UTC(2026, 0, 1)): Clock & { advance(ms: number): void } {
  let offset = 0;
  return {
    now: () => start + offset,
    monotonic: () => offset,
    advance: (ms) => {
      offset += ms;
    },
  };
}

/** Waiting arrives as a dependency, so that a test decides when a time is over. */
export interface Timers {
  /** Does something after so many milliseconds, unless it is stopped before. */
  after(ms: number, act: () => void): StopTimer;
}

export type StopTimer = () => void;

export const systemTimers: Timers = {
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

import { useSyncExternalStore } from "react";

interface Clock {
  readonly watch: (changed: () => void) => () => void;
  readonly read: () => number;
}

const tens = openClock(10_000);
const seconds = openClock(1_000);

/** The time, for words that change with it: renewed every ten seconds. */
export function useClock(): number {
  return useSyncExternalStore(tens.watch, tens.read);
}

/** The time to the second, for what is counted down while somebody looks. */
export function useSeconds(): number {
  return useSyncExternalStore(seconds.watch, seconds.read);
}

/** One clock for all times on the page: a thousand rows cost one timer. */
function openClock(step: number): Clock {
  const watchers = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let current = Date.now();
  return {
    watch(changed) {
      watchers.add(changed);
      if (timer === undefined) {
        current = Date.now();
        timer = setInterval(() => {
          current = Date.now();
          for (const watcher of watchers) watcher();
        }, step);
      }
      return () => {
        watchers.delete(changed);
        if (watchers.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    read() {
      // The first read after a quiet spell must not show the time of the last tick.
      if (timer === undefined && Date.now() - current > step) current = Date.now();
      return current;
    },
  };
}

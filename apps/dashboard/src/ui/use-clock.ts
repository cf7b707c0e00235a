import { useSyncExternalStore } from "react";

/** The time, for words that change with it: renewed every ten seconds. */
export function useClock(): number {
  return useSyncExternalStore(watchClock, readClock);
}

// One clock for all times on the page: a thousand rows cost one timer.
const step = 10_000;
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let current = Date.now();

function watchClock(changed: () => void): () => void {
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
}

function readClock(): number {
  // The first read after a quiet spell must not show the time of the last tick.
  if (timer === undefined && Date.now() - current > step) current = Date.now();
  return current;
}

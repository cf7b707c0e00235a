import { mock } from "node:test";

/**
 * Stops the clock of this thread. A store does some things by it: it marks its log when nothing was committed for a while,
 * and it writes a checkpoint in slices of a few milliseconds. Without it the same commits are the same operations every time.
 */
export function stopClock(): void {
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  performance.now = () => 0;
}

/** Lets the time pass after which a store marks its log. */
export function passIdleTime(): void {
  mock.timers.tick(1_000);
}

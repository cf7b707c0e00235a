import { setTimeout as delay } from "node:timers/promises";
import { stopMs } from "../support/stopped.ts";

/** Asks until it is so. How long that takes decides nothing; what never comes is stopped. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const last = performance.now() + stopMs;
  while (!(await isSo())) {
    if (performance.now() > last) throw new Error(`stopped after ${stopMs / 1_000} s: ${what}`);
    await delay(1);
  }
}

import { setTimeout as delay } from "node:timers/promises";
import { stopMs } from "./stopped.ts";

/** For what tells nobody when it comes: asks again and again until it is so. The clock only stops what never will be. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, pauseMs = 10): Promise<void> {
  const last = performance.now() + stopMs;
  while (!(await isSo())) {
    if (performance.now() > last) throw new Error(`stopped after ${stopMs / 1_000} s: ${what}`);
    await delay(pauseMs);
  }
}

import { runInNewContext } from "node:vm";
import { stopMs } from "./stopped.ts";

/**
 * Work that does not wait can only be stopped from outside: a test's own limit is read by the thread that is busy. A work
 * of many more steps than promised does not end here, and is told as stopped.
 */
export function stoppedIfEndless<T>(what: string, work: () => T, limitMs = stopMs): T {
  try {
    return runInNewContext("work()", { work }, { timeout: limitMs }) as T;
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new Error(`stopped after ${limitMs / 1_000} s: ${what}`, { cause: error });
  }
}

import { setTimeout as later } from "node:timers/promises";
import { isFault } from "@gatehouse/contract";
import { authLimits } from "./limits.ts";

/**
 * Makes a decision, and makes it again when a record it was based on changed before it was kept. The decision must read
 * everything it depends on itself. The pauses let the change that came first become visible.
 */
export async function settle<T>(decide: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await decide();
    } catch (error) {
      if (!isFault(error, "store.conflict") || attempt >= authLimits.attempts) throw error;
      await later(2 ** attempt * (0.5 + Math.random() / 2));
    }
  }
}

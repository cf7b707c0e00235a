import { setTimeout as later } from "node:timers/promises";
import { isFault } from "@gatehouse/contract";
import { authLimits } from "./limits.ts";

/** Makes a decision about some users, and makes it again when a record it was based on changed before it was kept. */
export type Settle = <T>(users: readonly string[], decide: () => Promise<T>) => Promise<T>;

/** Decisions about the set of owners, and about names, take this turn as well. */
export const everybody = "everybody";

/**
 * Within one process, decisions about one user wait for each other, in the order in which they came: otherwise whoever
 * issues tokens in a loop with a stolen session would make every password change lose its race. Between processes the
 * store's versions decide, so a decision must read everything it depends on itself; the pauses let the change that came
 * first become visible.
 */
export function openSettle(): Settle {
  const last = new Map<string, Promise<void>>();
  return async (users, decide) => {
    const before = users.map((user) => last.get(user) ?? Promise.resolve());
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    // All places are taken at once, so two decisions can never wait for each other.
    for (const user of users) last.set(user, done);
    await Promise.all(before);
    try {
      return await repeat(decide);
    } finally {
      for (const user of users) if (last.get(user) === done) last.delete(user);
      finish();
    }
  };
}

async function repeat<T>(decide: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await decide();
    } catch (error) {
      if (!isFault(error, "store.conflict") || attempt >= authLimits.attempts) throw error;
      await later(2 ** attempt * (0.5 + Math.random() / 2));
    }
  }
}

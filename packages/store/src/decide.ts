/**
 * Decide: the one way in which a feature makes a decision from records and keeps it, how it says what changes, and how it reads
 * all of a kind. Never reaches a store by itself; the store is handed to whoever uses it.
 */
import { setTimeout as later } from "node:timers/promises";
import { openTurns } from "@gatehouse/base";
import type { AuditEntry } from "@gatehouse/contract";
import { isFault } from "@gatehouse/contract/faults";
import type { RecordKey } from "@gatehouse/contract/records";
import type { Change, Committed, Expect, Store } from "./port.ts";

export { create, put, remove } from "./change.ts";
export { listRecords } from "./list-records.ts";

/** How a decision reads. What it reads here must still be so when it is kept. */
export type Reads = Pick<Store, "get">;

export type Decision<T> =
  | { readonly entry: AuditEntry; readonly changes?: readonly Change[]; readonly result: (committed: Committed) => T }
  /** Nothing is to be written. */
  | { readonly entry?: undefined; readonly result: () => T };

/**
 * Makes a decision and keeps it, or makes it again when a record that it read changed before it was kept. `turns` are the
 * names of what it is about: within this process decisions about one thing wait for each other, so that whoever repeats one
 * in a loop cannot make all others lose their races. Between processes the versions decide.
 *
 * A commit of unknown outcome is never repeated: `store.outcome_unknown` and `store.unavailable` go to the caller.
 */
export type Decide = <T>(turns: readonly string[], make: (read: Reads) => Promise<Decision<T>>) => Promise<T>;

export const decideLimits = {
  /** A decision that has lost so many races is given up, as a conflict. */
  attempts: 8,
} as const;

export function openDecide(store: Pick<Store, "get" | "commit">): Decide {
  const inTurn = openTurns();
  return (turns, make) =>
    inTurn(turns, async () => {
      for (let attempt = 1; ; attempt += 1) {
        const reads = new TrackedReads(store, attempt > 1);
        const decision = await make(reads);
        if (decision.entry === undefined) return decision.result();
        const { entry, changes = [], result } = decision;
        try {
          return result(await store.commit(entry, changes, reads.notAmong(changes)));
        } catch (error) {
          if (!isFault(error, "store.conflict") || attempt >= decideLimits.attempts) throw error;
        }
        // Two processes that lost against each other should not meet again at once.
        await later(2 ** attempt * (0.5 + Math.random() / 2));
      }
    });
}

/** Everything that was read, so that no expectation can be forgotten. After a lost race it reads what is newest. */
class TrackedReads implements Reads {
  readonly #store: Reads;
  readonly #newest: boolean;
  readonly #seen = new Map<string, Expect>();

  constructor(store: Reads, newest: boolean) {
    this.#store = store;
    this.#newest = newest;
  }

  readonly get: Store["get"] = async (key, read) => {
    const found = await this.#store.get(key, this.#newest ? { newest: true } : read);
    // The first one counts: a record that changed between two reads is a lost race. Whoever asks for the newest starts anew.
    if (!this.#seen.has(key.text) || read?.newest === true) {
      this.#seen.set(key.text, { key, version: found?.version ?? 0 });
    }
    return found;
  };

  /** What was only read. What is changed says itself which version was seen. */
  notAmong(changes: readonly Change[]): readonly Expect[] {
    const changed = new Set(changes.map(({ key }: { readonly key: RecordKey }) => key.text));
    return [...this.#seen.values()].filter(({ key }) => !changed.has(key.text));
  }
}

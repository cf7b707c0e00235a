import { openTurns } from "@gatehouse/base";
import { type AuditEntry, isFault } from "@gatehouse/contract";
import type { Change, Committed, Store } from "@gatehouse/store";
import type { Log } from "../../platform/log/index.ts";

export interface BookDeps {
  readonly store: Pick<Store, "commit">;
  readonly log: Log;
}

/** What the runtime has to say to the audit log: some of it before it may act, and some of it after it has acted. */
export interface Book {
  /** For what must not happen without its entry: resolves when the entry is durable, or refuses and owes nothing. */
  write(entry: AuditEntry, changes?: readonly Change[]): Promise<Committed>;
  /**
   * For what has happened already: writes the entry, or owes it until the store takes entries again. Never throws; resolves
   * with why it could not be written yet.
   */
  note(entry: AuditEntry, changes?: readonly Change[]): Promise<unknown>;
  /** Tries once more to write what is owed. Never throws. */
  settle(): Promise<void>;
}

interface Owed {
  readonly entry: AuditEntry;
  readonly changes: readonly Change[];
}

/**
 * Entries that a full disk kept out come first when it takes entries again, so that nothing runs while something that ran
 * before is not in the log. What is owed is little: only what was armed or running when the disk became full.
 */
export function openBook({ store, log }: BookDeps): Book {
  const owed: Owed[] = [];
  const inTurn = openTurns();

  const settle = () =>
    inTurn(["owed"], async () => {
      for (let next = owed[0]; next !== undefined; next = owed[0]) {
        try {
          await store.commit(next.entry, next.changes);
        } catch (error) {
          if (!isSettled(error)) throw error;
        }
        owed.shift();
      }
    });

  return {
    write: async (entry, changes = []) => {
      if (owed.length > 0) await settle();
      return store.commit(entry, changes);
    },
    note: async (entry, changes = []) => {
      try {
        if (owed.length > 0) await settle();
        await store.commit(entry, changes);
        return undefined;
      } catch (error) {
        if (!isSettled(error)) owed.push({ entry, changes });
        log.error("an entry of the audit log is owed", { action: entry.action, subject: entry.subject }, error);
        return error;
      }
    },
    settle: () =>
      settle().catch((error: unknown) => {
        log.error("entries are still owed to the audit log", { entries: owed.length }, error);
      }),
  };
}

/**
 * `conflict`: the record that the entry removes is gone, so somebody has written how it ended. An entry whose fate nobody knows
 * is not repeated: the log would say twice what happened once.
 */
function isSettled(error: unknown): boolean {
  return isFault(error, "store.conflict") || isFault(error, "store.outcome_unknown");
}

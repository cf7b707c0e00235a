import { type AuditEntry, isFault } from "@gatehouse/contract";
import type { Store } from "@gatehouse/store";
import type { Log } from "../../platform/log/index.ts";
import { authLimits } from "./limits.ts";

/** One attempt that was refused. Only a name of the form of a user name is kept: people type passwords into that field. */
export interface RefusedAttempt {
  readonly action: "auth.sign_in_refused" | "auth.proof_refused";
  /** A user's id when the account exists. */
  readonly userId?: string;
  readonly name?: string;
  readonly address: string;
  readonly at: number;
  /** It was not judged, because the account had to wait. */
  readonly isThrottled: boolean;
}

export interface RefusedAttempts {
  count(attempt: RefusedAttempt): void;
  /** Writes what was counted. At the end of every minute, and at the stop. */
  flush(): Promise<void>;
}

interface Tally {
  readonly first: RefusedAttempt;
  readonly address: string | undefined;
  count: number;
  throttled: number;
  lastAt: number;
}

/**
 * Refused attempts are counted, not logged one by one: one audit record per address, account and minute, or strangers
 * fill the log (store rule 9). Beyond a number of records the address is left out, so that accounts are still told apart.
 */
export function openRefusedAttempts(deps: { store: Pick<Store, "commit">; log: Pick<Log, "error"> }): RefusedAttempts {
  let tallies = new Map<string, Tally>();

  const add = (attempt: RefusedAttempt, address: string | undefined, count: number, throttled: number) => {
    const key = JSON.stringify([attempt.action, subjectOf(attempt), address]);
    const tally = tallies.get(key);
    if (tally === undefined) tallies.set(key, { first: attempt, address, count, throttled, lastAt: attempt.at });
    else {
      tally.count += count;
      tally.throttled += throttled;
      tally.lastAt = Math.max(tally.lastAt, attempt.at);
    }
    return key;
  };
  const isFull = () => tallies.size >= authLimits.refusedRecordsPerMinute;

  return {
    count: (attempt) => {
      const throttled = Number(attempt.isThrottled);
      const key = JSON.stringify([attempt.action, subjectOf(attempt), attempt.address]);
      if (tallies.has(key) || !isFull()) add(attempt, attempt.address, 1, throttled);
      else if (attempt.userId !== undefined) add(attempt, undefined, 1, throttled);
      else {
        const { name: _, ...nameless } = attempt;
        add(nameless, undefined, 1, throttled);
      }
    },
    flush: async () => {
      const full = [...tallies.values()];
      tallies = new Map();
      for (const [at, tally] of full.entries()) {
        try {
          await deps.store.commit(entryOf(tally));
        } catch (error) {
          // Not lost: what could not be written is counted on, in the same bounded number of tallies. What may have been
          // written is not, or it would stand in the log twice.
          const from = isFault(error, "store.outcome_unknown") ? at + 1 : at;
          for (const left of full.slice(from)) add(left.first, left.address, left.count, left.throttled);
          deps.log.error(
            "refused sign-ins could not be written to the audit log",
            { records: full.length - at },
            error,
          );
          return;
        }
      }
    },
  };
}

function subjectOf({ userId, name }: RefusedAttempt): string {
  if (userId !== undefined) return `user/${userId}`;
  return name === undefined ? "username/unknown" : `username/${name}`;
}

function entryOf({ first, address, count, throttled, lastAt }: Tally): AuditEntry {
  return {
    at: lastAt,
    actor: first.action === "auth.proof_refused" ? (first.userId ?? "anonymous") : "anonymous",
    action: first.action,
    subject: subjectOf(first),
    outcome: "refused",
    ...(address !== undefined && { address }),
    detail: { count, throttled, firstAt: first.at },
  };
}

import { type AuditEntry, isFault } from "@gatehouse/contract";
import type { Clock } from "@gatehouse/base";
import type { Store } from "@gatehouse/store";
import type { Log } from "../../platform/log/index.ts";
import { authLimits } from "./limits.ts";
import { openRefusedBudget } from "./refused-budget.ts";

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
  /** Writes what was counted. At the end of every minute. */
  flush(): Promise<void>;
  /** Writes the sums too. At the stop. */
  finish(): Promise<void>;
}

interface Tally {
  readonly first: RefusedAttempt;
  readonly address: string | undefined;
  count: number;
  throttled: number;
  lastAt: number;
}

export interface RefusedDeps {
  readonly store: Pick<Store, "commit">;
  readonly log: Pick<Log, "error">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Refused attempts are counted, not logged one by one: one audit record per address, account and minute, or strangers
 * fill the log (store rule 9). Only so many records name an address; what goes beyond is summed up per account and hour, so
 * that a flood of any size and length makes few records and no count is lost.
 */
export function openRefusedAttempts(deps: RefusedDeps): RefusedAttempts {
  const budget = openRefusedBudget(deps.clock);
  let tallies = new Map<string, Tally>();
  let sums = new Map<string, Tally>();
  let summedAt = Number.NEGATIVE_INFINITY;

  const add = (attempt: RefusedAttempt, address: string | undefined, count: number, throttled: number) =>
    addTo(tallies, { first: attempt, address, count, throttled, lastAt: attempt.at });
  const isFull = () => tallies.size >= authLimits.refusedRecordsPerMinute;
  const sumUp = (tally: Tally) => {
    const { name: _, userId, ...rest } = tally.first;
    const isTold = userId !== undefined && (sums.size < authLimits.refusedSums || sums.has(keyOf(tally.first)));
    addTo(sums, { ...tally, first: isTold ? { ...rest, userId } : rest, address: undefined });
  };
  /** What could not be written is counted on. What may have been written is not, or it would stand in the log twice. */
  const write = async (full: readonly Tally[], keep: (tally: Tally) => void): Promise<void> => {
    for (const [at, tally] of full.entries()) {
      try {
        await deps.store.commit(entryOf(tally));
      } catch (error) {
        for (const left of full.slice(isFault(error, "store.outcome_unknown") ? at + 1 : at)) keep(left);
        const records = full.length - at;
        deps.log.error("refused sign-ins could not be written to the audit log", { records }, error);
        return;
      }
    }
  };
  const writeSums = async (): Promise<void> => {
    const full = [...sums.values()];
    sums = new Map();
    if (full.length > 0) summedAt = deps.clock.now();
    await write(full, (tally) => addTo(sums, tally));
  };
  const flush = async (): Promise<void> => {
    // Those on accounts that exist come first: they say whose password somebody tries.
    const all = [...tallies.values()].sort((a, b) => Number(isOfNobody(a)) - Number(isOfNobody(b)));
    tallies = new Map();
    const full: Tally[] = [];
    for (const tally of all) {
      if (budget.take()) full.push(tally);
      else sumUp(tally);
    }
    await write(full, (tally) => addTo(tallies, tally));
    const sinceSums = deps.clock.now() - summedAt;
    if (sinceSums >= authLimits.refusedSumsEveryMs || sinceSums < 0) await writeSums();
  };

  return {
    count: (attempt) => {
      const throttled = Number(attempt.isThrottled);
      const key = keyOf(attempt, attempt.address);
      if (tallies.has(key) || !isFull()) add(attempt, attempt.address, 1, throttled);
      else if (attempt.userId !== undefined) add(attempt, undefined, 1, throttled);
      else {
        const { name: _, ...nameless } = attempt;
        add(nameless, undefined, 1, throttled);
      }
    },
    flush,
    finish: async () => {
      await flush();
      await writeSums();
    },
  };
}

function keyOf(attempt: RefusedAttempt, address?: string): string {
  return JSON.stringify([attempt.action, subjectOf(attempt), address]);
}

function addTo(tallies: Map<string, Tally>, { first, address, count, throttled, lastAt }: Tally): void {
  const key = keyOf(first, address);
  const tally = tallies.get(key);
  if (tally === undefined) tallies.set(key, { first, address, count, throttled, lastAt });
  else {
    tally.count += count;
    tally.throttled += throttled;
    tally.lastAt = Math.max(tally.lastAt, lastAt);
  }
}

function isOfNobody({ first }: Tally): boolean {
  return first.userId === undefined;
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

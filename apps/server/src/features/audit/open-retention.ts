import type { Clock } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract";
import type { Head } from "@gatehouse/store";
import type { Log } from "../../platform/log/index.ts";
import { auditLimits } from "./limits.ts";

export interface RetentionDeps {
  /** Forgets what is older than a time, and says where the log begins since; undefined when nothing is. */
  readonly prune: (by: { readonly actor: string; readonly at: number }, time: number) => Promise<Head | undefined>;
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Log, "info" | "error">;
  readonly every: (ms: number, act: () => void) => () => void;
  /** Undefined keeps every record. */
  readonly days: number | undefined;
  /** Of a log that is not as it was written, or not known to be, nothing is forgotten: it is evidence. */
  readonly isWhole: () => boolean;
}

export interface Retention {
  close(): Promise<void>;
}

/** Forgets audit records that are older than they are to be kept, once a day. */
export function openRetention({ prune, clock, log, every, days, isWhole }: RetentionDeps): Retention {
  if (days === undefined) return { close: () => Promise.resolve() };
  let prunedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    const now = clock.now();
    try {
      const begins = await prune({ actor: "system", at: now }, now - days * day);
      prunedAt = now;
      if (begins !== undefined) log.info("old audit records were pruned", { days, upTo: begins.position });
    } catch (error) {
      if (!isFault(error, "store.closed")) log.error("old audit records could not be pruned", { days }, error);
    } finally {
      underWay = undefined;
    }
  };
  const stop = every(auditLimits.retentionEveryMs, () => {
    if (isWhole() && clock.now() - prunedAt >= day - auditLimits.retentionEveryMs) underWay ??= run();
  });
  return {
    close: async () => {
      stop();
      await underWay;
    },
  };
}

const day = 24 * 60 * 60 * 1_000;

import { Fault } from "@gatehouse/base";
import type { AuditRecord, Store, Told } from "@gatehouse/store";
import type { Log } from "../../platform/log/index.ts";
import { deliveryLimits } from "./limits.ts";

export interface FollowLogDeps {
  readonly store: Pick<Store, "follow" | "searchAudit" | "head">;
  /** Every entry once, in the order of the log; the next comes when this is done. */
  readonly take: (entry: AuditRecord) => Promise<void> | void;
  readonly log: Log;
  /** Between two pages, so that catching up does not take the server's time. */
  readonly rest: () => Promise<void>;
}

export interface FollowedLog {
  /** Up to here every entry was taken. */
  readTo(): number;
  close(): Promise<void>;
}

/**
 * Every entry after `start`: those before now out of the log, then what is committed, as it is told. What does not fit while entries
 * are taken is read from the log later; a part of the log that cannot be read is left out, and what comes after it is not.
 */
export function followLog({ store, take, log, rest }: FollowLogDeps, start: number): FollowedLog {
  const at = { readTo: start, isClosed: false };
  let heard: Told[] = [];
  let running: Promise<void> | undefined;

  const pass = async (entry: AuditRecord): Promise<void> => {
    if (entry.position <= at.readTo || at.isClosed) return;
    at.readTo = entry.position;
    await take(entry);
  };

  const readUpTo = async (end: number): Promise<void> => {
    try {
      while (at.readTo < end && !at.isClosed) {
        const { items } = await store.searchAudit({
          order: "oldest",
          after: at.readTo,
          limit: deliveryLimits.pageItems,
        });
        if (items.length === 0) break;
        for (const entry of items) if (entry.position <= end) await pass(entry);
        if ((items.at(-1)?.position ?? 0) >= end) break;
        await rest();
      }
    } catch (error) {
      // Anything else may pass: the next commit tries again.
      if (!(error instanceof Fault && error.kind === "damaged")) throw error;
      log.error(
        "entries of the audit log could not be read for webhooks, and are not told",
        { after: at.readTo, end },
        error,
      );
    }
    // What was not taken before the stop is taken after the next start.
    if (!at.isClosed) at.readTo = Math.max(at.readTo, end);
  };

  const run = async (first: number | undefined): Promise<void> => {
    if (first !== undefined) await readUpTo(first);
    while (heard.length > 0 && !at.isClosed) {
      const batch = heard;
      heard = [];
      for (const { position, entry } of batch) {
        if (position > at.readTo + 1) await readUpTo(position - 1);
        await pass({ ...entry, position });
      }
    }
  };

  const begin = (first?: () => Promise<number>): void => {
    if (running !== undefined || at.isClosed) return;
    running = (async () => run(await first?.()))()
      .catch((error: unknown) => {
        if (!at.isClosed) log.error("the audit log could not be followed for webhooks", {}, error);
      })
      .finally(() => {
        running = undefined;
        if (heard.length > 0) begin();
      });
  };

  const unfollow = store.follow((told) => {
    const last = told.at(-1);
    if (last === undefined || at.isClosed) return;
    // The newest alone says how far to read.
    if (heard.length + told.length > deliveryLimits.heard) heard = [last];
    else heard.push(...told);
    begin();
  });
  begin(async () => (await store.head()).position);
  return {
    readTo: () => at.readTo,
    close: async () => {
      at.isClosed = true;
      unfollow();
      await running;
    },
  };
}

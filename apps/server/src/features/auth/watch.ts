import type { Clock } from "@gatehouse/base";
import type { AuditRecord, Store } from "@gatehouse/store";
import type { Log } from "../../platform/log/index.ts";
import type { Principal, WatchPrincipal } from "../../platform/route/index.ts";
import { holdsUntil } from "./authenticate.ts";
import type { Uses } from "./uses.ts";

export interface WatchDeps {
  readonly store: Pick<Store, "get" | "follow">;
  readonly uses: Uses;
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Log, "error">;
  /** Calls once; returns the way to stop. */
  readonly after: (ms: number, act: () => void) => () => void;
}

export interface Watch {
  readonly watchPrincipal: WatchPrincipal;
  close(): void;
}

interface Watcher {
  readonly principal: Principal;
  readonly onRevoked: () => void;
  stopTimer: () => void;
  isOver: boolean;
}

/**
 * Ends what a principal has open when it loses its credential or a scope. It follows the store's commits: a commit that
 * concerns a watched user makes the watch look again, within the same moment. Expiry and idleness are looked at when due.
 */
export function openWatch(deps: WatchDeps): Watch {
  const watchers = new Map<string, Set<Watcher>>();

  const unwatch = (watcher: Watcher) => {
    watcher.isOver = true;
    watcher.stopTimer();
    const own = watchers.get(watcher.principal.id);
    own?.delete(watcher);
    if (own?.size === 0) watchers.delete(watcher.principal.id);
  };
  const look = async (watcher: Watcher): Promise<void> => {
    const until = await untilWhen(deps, watcher.principal);
    if (watcher.isOver) return;
    if (until === undefined) {
      unwatch(watcher);
      watcher.onRevoked();
      return;
    }
    watcher.stopTimer();
    const wait = Math.min(Math.max(until - deps.clock.now(), 0) + 1, longestTimerMs);
    watcher.stopTimer = deps.after(wait, () => void look(watcher));
  };

  const unfollow = deps.store.follow((committed) => {
    for (const record of committed) {
      deps.uses.forget(endedBy(record));
      for (const watcher of watchers.get(concernedUser(record)) ?? []) void look(watcher);
    }
  });

  return {
    watchPrincipal: (principal, onRevoked) => {
      const watcher: Watcher = { principal, onRevoked, stopTimer: () => undefined, isOver: false };
      const own = watchers.get(principal.id) ?? new Set();
      watchers.set(principal.id, own.add(watcher));
      // Once at the beginning: the credential may have gone between the request's check and this line.
      void look(watcher);
      return () => unwatch(watcher);
    },
    close: () => {
      unfollow();
      for (const own of watchers.values()) for (const watcher of own) unwatch(watcher);
    },
  };
}

/** A timer of Node holds 24 days at most. */
const longestTimerMs = 24 * 60 * 60_000;

async function untilWhen(deps: WatchDeps, principal: Principal): Promise<number | undefined> {
  try {
    return await holdsUntil(deps, principal);
  } catch (error) {
    // What cannot be looked up is not known to be good.
    deps.log.error("a live stream is ended because its credential cannot be looked up", {}, error);
    return undefined;
  }
}

function concernedUser({ subject, detail }: AuditRecord): string {
  if (subject.startsWith("user/")) return subject.slice("user/".length);
  const userId = detail?.["userId"];
  return typeof userId === "string" ? userId : "";
}

function endedBy({ detail }: AuditRecord): readonly string[] {
  const ended = detail?.["userId"] === undefined ? undefined : detail["ended"];
  return Array.isArray(ended) ? ended.filter((id): id is string => typeof id === "string") : [];
}

import type { Clock } from "@gatehouse/base";
import { credentialsKind, type RecordKey, tokenKind, userKind } from "@gatehouse/contract/records";
import type { Store, Told } from "@gatehouse/store";
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
 * Ends what a principal has open when it loses its credential or a scope. It follows the store's commits: one that changes
 * a record of a watched principal makes the watch look again, within the same moment. Expiry and idleness are looked at when due.
 */
export function openWatch(deps: WatchDeps): Watch {
  /** By the text of every key that decides about them. */
  const watchers = new Map<string, Set<Watcher>>();

  const unwatch = (watcher: Watcher) => {
    watcher.isOver = true;
    watcher.stopTimer();
    for (const { text } of keysOf(watcher.principal)) {
      const own = watchers.get(text);
      own?.delete(watcher);
      if (own?.size === 0) watchers.delete(text);
    }
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

  const unfollow = deps.store.follow((told) => {
    const concerned = new Set<Watcher>();
    for (const one of told) {
      deps.uses.forget(endedBy(one));
      for (const { key } of one.changed) for (const watcher of watchers.get(key.text) ?? []) concerned.add(watcher);
    }
    for (const watcher of concerned) void look(watcher);
  });

  return {
    watchPrincipal: (principal, onRevoked) => {
      const watcher: Watcher = { principal, onRevoked, stopTimer: () => undefined, isOver: false };
      for (const { text } of keysOf(principal)) {
        const own = watchers.get(text) ?? new Set();
        watchers.set(text, own.add(watcher));
      }
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

/** The records that say what a principal holds; a commit that changes none of them takes nothing away. */
function keysOf({ id, credential }: Principal): readonly RecordKey[] {
  const own = [userKind.key(id), credentialsKind.key(id)];
  return credential.kind === "token" ? [...own, tokenKind.key(credential.id)] : own;
}

/** What the entry says has ended is not kept in memory any more. It decides nothing: what ended cannot be used. */
function endedBy({ entry: { detail } }: Told): readonly string[] {
  const ended = detail?.["ended"];
  return Array.isArray(ended) ? ended.filter((id): id is string => typeof id === "string") : [];
}

import type { Clock } from "@gatehouse/base";
import { fleetLimits } from "./limits.ts";

/** What was last heard of a node's drift in this process, though nothing of it was news: a look each hour is no record. */
export interface DriftBook {
  heard(nodeId: string, look: HeardLook): void;
  find(nodeId: string): HeardLook | undefined;
  /** Counts a change; false for a node of which too many were written down in this hour. */
  mayChange(nodeId: string): boolean;
  /** The node is no more. */
  forget(nodeId: string): void;
}

export interface HeardLook {
  /** An older message than this one is no news. */
  readonly number: number;
  readonly receivedAt: number;
  readonly watched: number;
}

/** One entry for each node that has a record: nothing else is verified, and so nothing else comes here. */
export function openDriftBook(clock: Pick<Clock, "monotonic">): DriftBook {
  const looks = new Map<string, HeardLook>();
  const changes = new Map<string, { readonly hour: number; readonly count: number }>();
  return {
    heard: (nodeId, look) => void looks.set(nodeId, look),
    find: (nodeId) => looks.get(nodeId),
    mayChange: (nodeId) => {
      const hour = Math.floor(clock.monotonic() / hourMs);
      const counted = changes.get(nodeId);
      const count = counted?.hour === hour ? counted.count + 1 : 1;
      if (count > fleetLimits.driftChangesPerHour) return false;
      changes.set(nodeId, { hour, count });
      return true;
    },
    forget: (nodeId) => {
      looks.delete(nodeId);
      changes.delete(nodeId);
    },
  };
}

const hourMs = 60 * 60_000;

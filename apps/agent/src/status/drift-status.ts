import type { JsonObject } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract/faults";
import { findWatched, type WatchedPart, type WatchedPlace } from "../safety/watched-parts.ts";

/** What the helper found when it last hashed again what was confirmed here; undefined where it never did, or where only root can see. */
export interface DriftStatus {
  readonly at: number;
  readonly watched: number;
  readonly parts: readonly Pick<WatchedPart, "subject" | "state">[];
}

export function findDriftStatus(place: WatchedPlace): DriftStatus | undefined {
  try {
    const found = findWatched(place);
    if (found === undefined) return undefined;
    const parts = found.parts.filter(({ state }) => state !== "same" && state !== "new");
    return { at: found.at, watched: found.parts.length, parts };
  } catch (error) {
    if (isFault(error, "host.not_root")) return undefined;
    throw error;
  }
}

const named = 3;

export function describeDrift(drift: DriftStatus | undefined): string[] {
  if (drift === undefined || drift.watched === 0) return [];
  const at = new Date(drift.at).toISOString().replace(/\.\d+Z$/, "Z");
  const differ = drift.parts.filter(({ state }) => state !== "unread").map(({ subject }) => subject);
  const unread = drift.parts.length - differ.length;
  const more = differ.length > named ? `, and ${differ.length - named} more` : "";
  const names = differ.length === 0 ? "" : `; others: ${differ.slice(0, named).join(", ")}${more}`;
  const blind = unread === 0 ? "" : `; ${unread} could not be read`;
  return [`As confirmed: ${drift.watched - drift.parts.length} of ${drift.watched} parts at ${at}${blind}${names}`];
}

export function driftJson(drift: DriftStatus | undefined): JsonObject | null {
  if (drift === undefined) return null;
  const parts = drift.parts.map(({ subject, state }) => ({ subject, state }));
  return { checkedAt: new Date(drift.at).toISOString(), watched: drift.watched, parts };
}

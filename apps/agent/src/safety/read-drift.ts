import { byteForm, type Clock } from "@gatehouse/base";
import { channelLimits, type DriftPart, type DriftTold } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import type { Operation } from "@gatehouse/plan";
import { openConfirmed } from "./find-confirmed.ts";
import { isUnknown, lookAtPart, type LookDeps } from "./look-at-part.ts";
import type { Changes } from "./open-changes.ts";
import {
  type DriftLook,
  findWatched,
  nothingWatched,
  putWatched,
  type WatchedPart,
  type WatchedParts,
  type WatchedPlace,
} from "./watched-parts.ts";

export interface ReadDriftDeps extends Omit<LookDeps, "ceiling" | "privateKey" | "clock">, WatchedPlace {
  readonly paths: LookDeps["paths"] & WatchedPlace["paths"];
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly readCeiling: () => LookDeps["ceiling"];
}

export interface DriftQuestion {
  readonly changes: Pick<Changes, "told" | "applied">;
  readonly privateKey: Uint8Array;
}

/** Of one look: whoever asked waits for it. */
const mostOfLook = { parts: channelLimits.stateSubjects, ms: 8_000 };

/**
 * Hashes again what was confirmed on this host, some parts at a time, and tells what is not as it was. Refuses with `slot.busy` while a
 * change is open: in its middle nothing is as confirmed, and nothing is wrong.
 */
export async function readDrift(deps: ReadDriftDeps, { changes, privateKey }: DriftQuestion): Promise<DriftLook> {
  const before = await needQuiet(changes);
  const kept = findWatched(deps);
  const known = kept === undefined || kept.journal > before ? { ...nothingWatched, number: kept?.number ?? 0 } : kept;
  const confirmed = openConfirmed(known.parts);
  if (before > known.journal) await changes.applied(known.journal, confirmed.take);
  const { parts, made } = confirmed.all();
  const look = { ...deps, ceiling: deps.readCeiling(), privateKey };
  const looked = await lookAtSome(look, { parts, made, after: known.after });
  if ((await needQuiet(changes)) !== before) throw busy("a change was made meanwhile");
  const now = deps.clock.now();
  const watched: WatchedParts = {
    v: 1,
    number: Math.max(known.number + 1, now),
    at: now,
    // What was never hashed is read from the journal once more: only there stands what was made.
    journal: looked.parts.some(isUnknown) ? known.journal : before,
    after: looked.after,
    parts: [...looked.parts],
  };
  if (kept !== undefined || parts.length > 0) await putWatched(deps, watched);
  return { left: looked.left, number: watched.number, drift: tellDrift(watched.parts) };
}

/** The number of the newest record of the journal. */
async function needQuiet(changes: DriftQuestion["changes"]): Promise<number> {
  const { open, newest } = await changes.told(Number.MAX_SAFE_INTEGER);
  if (open !== undefined) throw busy(`${open} is open`);
  return newest;
}

function busy(why: string): Error {
  return fault("slot.busy", `expected a host on which no change is under way: ${why}`);
}

interface SomeParts {
  readonly parts: readonly WatchedPart[];
  readonly made: ReadonlyMap<string, Operation>;
  readonly after: string;
}

/** In turn, from where the last look has stopped. */
async function lookAtSome(deps: LookDeps, { parts, made, after }: SomeParts) {
  const turn = parts.filter(({ subject }) => subject > after);
  const end = deps.clock.monotonic() + mostOfLook.ms;
  const seen = new Map<string, WatchedPart>();
  for (const part of turn.slice(0, mostOfLook.parts)) {
    if (seen.size > 0 && deps.clock.monotonic() >= end) break;
    seen.set(part.subject, await lookAtPart(deps, part, made.get(part.subject)));
  }
  const left = turn.length - seen.size;
  const last = [...seen.keys()].at(-1) ?? after;
  return { parts: parts.map((part) => seen.get(part.subject) ?? part), left, after: left === 0 ? "" : last };
}

/** What fits into one message: first what is surely not as it was. */
export function tellDrift(parts: readonly WatchedPart[]): DriftTold {
  const all = parts.flatMap(toldOf);
  const sorted = [...all.filter(({ state }) => state !== "unread"), ...all.filter(({ state }) => state === "unread")];
  const told: DriftPart[] = [];
  let bytes = 1_024;
  for (const part of sorted.slice(0, channelLimits.driftParts)) {
    bytes += byteForm([part]).byteLength;
    if (bytes > channelLimits.driftBytes) break;
    told.push(part);
  }
  return { watched: parts.length, more: all.length - told.length, parts: told };
}

function toldOf(watched: WatchedPart): DriftPart[] {
  const { subject, task, plan, confirmedAt, expected, state, found, why } = watched;
  if (state === "same") return [];
  const part = { subject, task, plan, confirmedAt, expected };
  if (state === "new") return [{ ...part, state: "unread", found: null, why: "it was not looked at yet" }];
  return [{ ...part, state, found, why }];
}

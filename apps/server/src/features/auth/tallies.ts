import { hash, randomBytes } from "node:crypto";
import type { Clock } from "@gatehouse/base";

/** The failures of one lane. */
export interface FailureTally {
  readonly count: number;
  /** When its next attempt is judged, on the clock that never goes back. */
  readonly openAt: number;
}

export interface Tallies {
  find(lane: string): FailureTally | undefined;
  keep(lane: string, tally: FailureTally): void;
  forget(lane: string): void;
}

interface TalliesDeps {
  readonly clock: Pick<Clock, "monotonic">;
  /** After so long without a failure there was none. */
  readonly forgetMs: number;
}

/** For lanes that nobody can invent: each is kept by itself, the longest untouched is forgotten first. */
export function exactTallies({ clock, forgetMs, most }: TalliesDeps & { readonly most: number }): Tallies {
  const kept = new Map<string, FailureTally>();
  return {
    find: (lane) => {
      const tally = kept.get(lane);
      if (tally === undefined || clock.monotonic() - tally.openAt < forgetMs) return tally;
      kept.delete(lane);
      return undefined;
    },
    keep: (lane, tally) => {
      kept.delete(lane);
      kept.set(lane, tally);
      const oldest = kept.size > most ? kept.keys().next() : undefined;
      if (oldest?.done === false) kept.delete(oldest.value);
    },
    forget: (lane) => void kept.delete(lane),
  };
}

/**
 * For lanes that anybody can invent, by a name or an address: a count-min sketch, which never forgets one lane for the sake
 * of others. Whoever fills it makes it say more than there was, never less; where, they cannot choose, because the key is
 * this process's own. A lane is not forgotten before its time: others share its cells.
 */
export function sketchTallies({ clock, forgetMs, cells }: TalliesDeps & { readonly cells: number }): Tallies {
  const counts = new Uint8Array(cells);
  const openAts = new Float64Array(cells);
  const placesOf = openPlaces(cells);
  return {
    find: (lane) => {
      const forgotten = clock.monotonic() - forgetMs;
      let [count, openAt] = [most, Infinity];
      for (const place of placesOf(lane)) {
        const opens = openAts[place] ?? 0;
        count = Math.min(count, opens > forgotten ? (counts[place] ?? 0) : 0);
        openAt = Math.min(openAt, opens);
      }
      return count === 0 ? undefined : { count, openAt };
    },
    keep: (lane, { count, openAt }) => {
      const forgotten = clock.monotonic() - forgetMs;
      for (const place of placesOf(lane)) {
        const opens = openAts[place] ?? 0;
        const live = opens > forgotten ? (counts[place] ?? 0) : 0;
        counts[place] = Math.max(live, Math.min(most, count));
        openAts[place] = live === 0 ? openAt : Math.max(opens, openAt);
      }
    },
    forget: () => undefined,
  };
}

/** Counts of a byte; the delays have stopped growing long before. */
const most = 255;

/** How much there was lately of each key; older parts of it fade. The same kind of sketch. */
export interface Fading {
  of(key: string): number;
  add(key: string, amount: number, agoMs?: number): void;
}

export function fadingSums(deps: {
  readonly clock: Pick<Clock, "monotonic">;
  /** After so long a third of it is left. */
  readonly fadeMs: number;
  readonly cells: number;
}): Fading {
  const { clock, fadeMs } = deps;
  const sums = new Float64Array(deps.cells);
  const times = new Float64Array(deps.cells);
  const placesOf = openPlaces(deps.cells);
  return {
    of: (key) => {
      const now = clock.monotonic();
      let least = Infinity;
      for (const place of placesOf(key)) {
        least = Math.min(least, (sums[place] ?? 0) * Math.exp(((times[place] ?? 0) - now) / fadeMs));
      }
      return least;
    },
    add: (key, amount, agoMs = 0) => {
      const now = clock.monotonic();
      const added = amount * Math.exp(-Math.max(0, agoMs) / fadeMs);
      for (const place of placesOf(key)) {
        sums[place] = (sums[place] ?? 0) * Math.exp(((times[place] ?? 0) - now) / fadeMs) + added;
        times[place] = now;
      }
    },
  };
}

const rows = 4;

/** One cell in each of four rows, by a keyed hash. One attempt asks for the same key several times: the last is remembered. */
function openPlaces(cells: number): (key: string) => readonly number[] {
  const secret = randomBytes(32).toString("hex");
  const width = Math.floor(cells / rows);
  let last: { readonly key: string; readonly places: readonly number[] } | undefined;
  return (key) => {
    if (last?.key === key) return last.places;
    const digest = hash("sha256", `${secret}${key}`, "buffer");
    const places = Array.from({ length: rows }, (_, row) => row * width + (digest.readUInt32LE(row * 4) % width));
    last = { key, places };
    return places;
  };
}

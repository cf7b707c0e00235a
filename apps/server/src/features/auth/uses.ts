import type { Clock } from "@gatehouse/base";
import type { Telemetry } from "@gatehouse/store/telemetry";

export interface Use {
  /** Milliseconds since 1970, for people. */
  readonly at: number;
  readonly address: string;
}

/**
 * When and from where credentials were last used. A use is not a commit (store rule 10): it is known here at once, and
 * telemetry carries it over a restart. A use that telemetry has lost counts as none, and a session then as used at the start.
 */
export interface Uses {
  touch(id: string, use: Use): void;
  /** Of those whose last use is known. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, Use>>;
  /** Since the last use, or since the start; later only for one that telemetry has to be asked for. */
  idleMs(id: string): number | Promise<number>;
  forget(ids: readonly string[]): void;
}

export interface UsesDeps {
  readonly clock: Clock;
  readonly telemetry: Pick<Telemetry, "touch" | "lastTouched" | "flush">;
}

/** What is known of one credential; without a use when there was none to be found. */
interface Known {
  readonly use?: Use;
  /** When it was, on the clock that never goes back. */
  readonly monotonic: number;
}

export function openUses({ clock, telemetry }: UsesDeps): Uses {
  const startedAt = clock.monotonic();
  const known = new Map<string, Known>();

  /** From before the start; each credential is asked for once. */
  const load = async (ids: readonly string[]): Promise<void> => {
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length === 0) return;
    // What cannot be read is not known, and nobody is kept out for that; telemetry itself warns.
    const found = await telemetry.lastTouched(missing.map(keyOf)).catch(() => new Map<string, never>());
    for (const id of missing) {
      if (known.has(id)) continue;
      const touch = found.get(keyOf(id));
      known.set(id, touch === undefined ? { monotonic: startedAt } : recall(touch));
    }
  };
  const recall = ({ at, from = "" }: { readonly at: number; readonly from?: string }): Known => ({
    use: { at, address: from },
    monotonic: clock.monotonic() - Math.max(clock.now() - at, 0),
  });

  const idleMs = (id: string): number => clock.monotonic() - (known.get(id)?.monotonic ?? startedAt);

  return {
    touch: (id, use) => {
      known.set(id, { use, monotonic: clock.monotonic() });
      telemetry.touch(keyOf(id), use.at, use.address);
    },
    find: async (ids) => {
      // What was forgotten because it ended may still wait to be written.
      if (!ids.every((id) => known.has(id))) await telemetry.flush();
      await load(ids);
      return new Map(
        ids.flatMap((id) => {
          const use = known.get(id)?.use;
          return use === undefined ? [] : [[id, use]];
        }),
      );
    },
    idleMs: (id) => (known.has(id) ? idleMs(id) : load([id]).then(() => idleMs(id))),
    forget: (ids) => {
      for (const id of ids) known.delete(id);
    },
  };
}

/** Sessions and tokens: their ids are never the same. */
function keyOf(id: string): string {
  return `credential/${id}`;
}

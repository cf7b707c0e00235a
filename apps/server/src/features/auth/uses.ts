import type { Clock } from "@gatehouse/base";

export interface Use {
  /** Milliseconds since 1970, for people. */
  readonly at: number;
  readonly address: string;
}

/**
 * When and from where credentials were last used. In memory only: a use is not a commit (store rule 10), and logs.db
 * does not take them yet. So after a restart a token shows no last use, and a session counts as used at the restart.
 */
export interface Uses {
  touch(id: string, use: Use): void;
  find(id: string): Use | undefined;
  /** Since the last use, or since the start. */
  idleMs(id: string): number;
  forget(ids: readonly string[]): void;
}

export function openUses(clock: Pick<Clock, "monotonic">): Uses {
  const startedAt = clock.monotonic();
  const uses = new Map<string, Use & { readonly monotonic: number }>();
  return {
    touch: (id, { at, address }) => void uses.set(id, { at, address, monotonic: clock.monotonic() }),
    find: (id) => uses.get(id),
    idleMs: (id) => clock.monotonic() - (uses.get(id)?.monotonic ?? startedAt),
    forget: (ids) => {
      for (const id of ids) uses.delete(id);
    },
  };
}

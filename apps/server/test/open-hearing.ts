import type { Head, Store } from "@gatehouse/store";

export interface Hearing {
  /** Waits until the store has told its followers of everything up to there. */
  reach(head: Pick<Head, "position">): Promise<void>;
}

/**
 * Follows a store for a test that asserts what its followers did. Opened behind them, it hears when they have heard; what
 * was told before is not waited for.
 */
export async function openHearing(store: Pick<Store, "follow" | "head">): Promise<Hearing> {
  let heard = (await store.head()).position;
  let waiting: { readonly position: number; readonly resolve: () => void }[] = [];
  store.follow((told) => {
    heard = Math.max(heard, told.at(-1)?.position ?? 0);
    const reached = waiting.filter(({ position }) => position <= heard);
    waiting = waiting.filter(({ position }) => position > heard);
    for (const { resolve } of reached) resolve();
  });
  return {
    reach: ({ position }) =>
      new Promise((resolve) => {
        if (position <= heard) resolve();
        else waiting.push({ position, resolve });
      }),
  };
}

import type { Store } from "@gatehouse/store";

export interface HeardPosition {
  /** The place in the audit log of the newest change that this server was told of: what is read from now on holds it. */
  now(): number;
  close(): void;
}

/** Asks no store each time: an older position only has a change told that was seen already. */
export async function openHeardPosition(store: Pick<Store, "head" | "follow">): Promise<HeardPosition> {
  let heard = 0;
  const unfollow = store.follow((told) => {
    heard = Math.max(heard, ...told.map(({ position }) => position));
  });
  const { position } = await store.head();
  heard = Math.max(heard, position);
  return { now: () => heard, close: unfollow };
}

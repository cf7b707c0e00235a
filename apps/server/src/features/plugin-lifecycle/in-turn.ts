/** Runs work about one thing after the other, in the order in which it came; work about different things side by side. */
export type InTurn = <T>(id: string, work: () => Promise<T>) => Promise<T>;

/** One transition is in flight per plugin: what the second one finds is what the first one left. */
export function openInTurn(): InTurn {
  const last = new Map<string, Promise<void>>();
  return async (id, work) => {
    const before = last.get(id);
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    last.set(id, done);
    await before;
    try {
      return await work();
    } finally {
      if (last.get(id) === done) last.delete(id);
      finish();
    }
  };
}

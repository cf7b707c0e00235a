/** Runs work that names the same thing one after the other, in the order in which it came; other work side by side. */
export type InTurn = <T>(names: readonly string[], work: () => Promise<T>) => Promise<T>;

export function openTurns(): InTurn {
  const last = new Map<string, Promise<void>>();
  return async (names, work) => {
    const before = names.map((name) => last.get(name) ?? Promise.resolve());
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    // All places are taken at once, so that two can never wait for each other.
    for (const name of names) last.set(name, done);
    await Promise.all(before);
    try {
      return await work();
    } finally {
      for (const name of names) if (last.get(name) === done) last.delete(name);
      finish();
    }
  };
}

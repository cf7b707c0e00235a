export interface CountedTurns {
  take<T>(work: () => Promise<T>): Promise<T>;
  waiting(): number;
}

/** One after the other, in the order in which they came, and how many wait. */
export function openCountedTurns(): CountedTurns {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    take: (work) => {
      waiting += 1;
      const done = last.then(work).finally(() => {
        waiting -= 1;
      });
      last = done.catch(() => undefined);
      return done;
    },
    waiting: () => waiting,
  };
}

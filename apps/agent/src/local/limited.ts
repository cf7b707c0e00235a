/** Runs so many pieces of work at once; whoever comes later waits, in the order of coming. */
export type Limited = <T>(work: () => Promise<T>) => Promise<T>;

export function openLimited(most: number): Limited {
  let running = 0;
  const waiting: (() => void)[] = [];
  const take = async (): Promise<void> => {
    if (running < most) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const give = (): void => {
    const next = waiting.shift();
    // Whoever waits takes over the place.
    if (next === undefined) running -= 1;
    else next();
  };
  return async (work) => {
    await take();
    try {
      return await work();
    } finally {
      give();
    }
  };
}

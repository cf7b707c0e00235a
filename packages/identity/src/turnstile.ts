/** Lets a few in at once, a few more wait, and turns the rest away: work that shares its threads with others is bounded. */
export interface Turnstile {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function openTurnstile(limits: {
  readonly atOnce: number;
  readonly waiting: number;
  readonly refuse: () => Error;
}): Turnstile {
  const queue: (() => void)[] = [];
  let inside = 0;
  const enter = (): Promise<void> | undefined => {
    if (inside < limits.atOnce) {
      inside += 1;
      return undefined;
    }
    if (queue.length >= limits.waiting) throw limits.refuse();
    return new Promise((resolve) => {
      queue.push(resolve);
    });
  };
  const leave = () => {
    // Whoever waits takes the place that becomes free; the number inside stays.
    const next = queue.shift();
    if (next === undefined) inside -= 1;
    else next();
  };
  return {
    run: async (work) => {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

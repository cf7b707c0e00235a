/** Lets `most` pieces of work about one thing be under way together; more of them wait, in the order in which they came. */
export type InSlot = <T>(id: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

export function openSlots(most: number): InSlot {
  const taken = new Map<string, { busy: number; readonly waiting: Set<() => void> }>();

  const leave = (id: string) => {
    const slots = taken.get(id);
    if (slots === undefined) return;
    const [next] = slots.waiting;
    if (next !== undefined) {
      // The place goes from hand to hand, so nobody can come in between.
      slots.waiting.delete(next);
      next();
      return;
    }
    slots.busy -= 1;
    if (slots.busy === 0) taken.delete(id);
  };

  const enter = (id: string, signal: AbortSignal): Promise<void> | undefined => {
    signal.throwIfAborted();
    const slots = taken.get(id) ?? { busy: 0, waiting: new Set() };
    taken.set(id, slots);
    if (slots.busy < most) {
      slots.busy += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        slots.waiting.delete(go);
        reject(signal.reason as Error);
      };
      slots.waiting.add(go);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  };

  return async (id, signal, work) => {
    await enter(id, signal);
    try {
      return await work();
    } finally {
      leave(id);
    }
  };
}

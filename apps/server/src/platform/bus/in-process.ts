import type { Bus, Hint, Topic } from "./bus.ts";

type Listener = (hint: Hint) => void;

/** The bus of one container. A listener that throws is reported and disturbs neither the others nor the sender. */
export function inProcessBus(onListenerError: (error: unknown) => void): Bus {
  const listeners = new Map<Topic, Set<Listener>>();
  let isOpen = true;

  const deliver = (topic: Topic, hint: Hint) => {
    for (const listener of listeners.get(topic) ?? []) {
      try {
        listener(hint);
      } catch (error) {
        onListenerError(error);
      }
    }
  };

  return {
    // Later, not now: the sender is in the middle of its own work.
    publish: (topic, hint) => {
      if (isOpen) queueMicrotask(() => deliver(topic, hint));
    },
    subscribe: (topic, listener) => {
      // Each subscription is its own, also of a function that is subscribed twice.
      const own: Listener = (hint) => listener(hint);
      const known = listeners.get(topic) ?? new Set();
      listeners.set(topic, known.add(own));
      return () => void known.delete(own);
    },
    close: () => {
      isOpen = false;
      listeners.clear();
      return Promise.resolve();
    },
  };
}

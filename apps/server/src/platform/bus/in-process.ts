import { type Bus, type BusOptions, channelOf, type Hints, type Topic } from "./bus.ts";

type Listener = (hint: Hints[Topic]) => void;

/** The bus of one container. */
export function inProcessBus({ namespace, onListenerError }: BusOptions): Bus {
  const listeners = new Map<string, Set<Listener>>();
  let isOpen = true;
  channelOf(namespace, "audit.moved");

  const deliver = (channel: string, hint: Hints[Topic]) => {
    for (const listener of listeners.get(channel) ?? []) {
      try {
        listener(hint);
      } catch (error) {
        onListenerError(error);
      }
    }
  };

  return {
    // Not now: the sender is in the middle of its own work. Not in the next microtask either: no other bus is so quick.
    publish: (topic, hint) => {
      if (isOpen) setImmediate(() => deliver(channelOf(namespace, topic), hint));
    },
    subscribe: (topic, listener) => {
      // Each subscription is its own, also of a function that is subscribed twice.
      // What is published under a topic has the topic's form.
      const own: Listener = (hint) => listener(hint as never);
      const channel = channelOf(namespace, topic);
      const known = listeners.get(channel) ?? new Set();
      listeners.set(channel, known.add(own));
      return () => void known.delete(own);
    },
    ready: () => Promise.resolve(),
    close: () => {
      isOpen = false;
      listeners.clear();
      return Promise.resolve();
    },
  };
}

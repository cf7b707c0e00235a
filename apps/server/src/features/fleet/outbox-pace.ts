import type { Clock } from "@gatehouse/base";
import { fleetLimits } from "./limits.ts";

/**
 * How fast the messages of each node are kept. Each is a commit and an entry of the log, whatever it says: a node that could begin
 * anew with every connection would fill the log as fast as it connects.
 */
export interface OutboxPace {
  /** Counts one message of this node: so many milliseconds until it may be kept. */
  pauseOf(nodeId: string): number;
}

interface Spent {
  /** Of the burst; it comes back by the time that passes. */
  readonly messages: number;
  readonly at: number;
}

export function openOutboxPace({ monotonic }: Pick<Clock, "monotonic">): OutboxPace {
  const { eventBurst, eventPauseMs } = fleetLimits;
  /** Those who said something last stand last; whoever has its whole burst again is not among them for long. */
  const nodes = new Map<string, Spent>();
  const leftOf = ({ messages, at }: Spent) => Math.max(0, messages - (monotonic() - at) / eventPauseMs);
  const forgetOldest = () => {
    for (const [node, spent] of nodes) {
      if (leftOf(spent) > 0) return;
      nodes.delete(node);
    }
  };
  return {
    pauseOf: (nodeId) => {
      const messages = leftOf(nodes.get(nodeId) ?? { messages: 0, at: 0 });
      nodes.delete(nodeId);
      forgetOldest();
      // One that has to wait stands beyond the burst until it has waited; more than that nobody owes.
      const isPaused = messages + 1 > eventBurst;
      nodes.set(nodeId, { messages: isPaused ? eventBurst + 1 : messages + 1, at: monotonic() });
      return isPaused ? eventPauseMs : 0;
    },
  };
}

import type { Clock } from "@gatehouse/base";

/**
 * How fast lines of each node are kept, over all of its connections: one that could begin anew with every connection would send as
 * fast as it connects.
 */
export interface LogsPace {
  /** So many milliseconds until the next message of this node may be kept. */
  owedBy(nodeId: string): number;
  /** Counts one message with so many lines and notes. */
  count(nodeId: string, rows: number): void;
}

/**
 * What a message took on its way is not taken from a host's budget: it has its next message ready when the last one is acknowledged,
 * and would never reach what it may send. So much of the time in which it sent less is made up for.
 */
const savedMs = 2_000;

export function openLogsPace(
  { monotonic }: Pick<Clock, "monotonic">,
  { linesPerSecond }: { readonly linesPerSecond: number },
): LogsPace {
  /** Until when each has to wait, or had to; those who sent something last stand last. */
  const nodes = new Map<string, number>();
  const owedBy = (nodeId: string) => Math.max(0, Math.ceil((nodes.get(nodeId) ?? 0) - monotonic()));
  const forgetOldest = () => {
    for (const [node, until] of nodes) {
      if (until > monotonic() - savedMs) return;
      nodes.delete(node);
    }
  };
  return {
    owedBy,
    count: (nodeId, rows) => {
      const begin = Math.max(nodes.get(nodeId) ?? 0, monotonic() - savedMs);
      // A message without a line is a write too.
      const until = begin + (Math.max(1, rows) * 1_000) / linesPerSecond;
      nodes.delete(nodeId);
      forgetOldest();
      nodes.set(nodeId, until);
    },
  };
}

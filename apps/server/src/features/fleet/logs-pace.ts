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

export function openLogsPace(
  { monotonic }: Pick<Clock, "monotonic">,
  { linesPerSecond }: { readonly linesPerSecond: number },
): LogsPace {
  /** Until when each has to wait; those who sent something last stand last. */
  const nodes = new Map<string, number>();
  const owedBy = (nodeId: string) => Math.max(0, Math.ceil((nodes.get(nodeId) ?? 0) - monotonic()));
  const forgetOldest = () => {
    for (const [node, until] of nodes) {
      if (until > monotonic()) return;
      nodes.delete(node);
    }
  };
  return {
    owedBy,
    count: (nodeId, rows) => {
      // A message without a line is a write too.
      const until = monotonic() + owedBy(nodeId) + (Math.max(1, rows) * 1_000) / linesPerSecond;
      nodes.delete(nodeId);
      forgetOldest();
      nodes.set(nodeId, until);
    },
  };
}

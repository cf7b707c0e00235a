import { brokerLimits, type BrokerResult } from "@gatehouse/contract/broker";
import type { Node } from "@gatehouse/contract/routes";
import type { BrokerHandlers } from "./handlers.ts";

export interface NodeDeps {
  /**
   * All nodes, in the order of their ids. Whoever asks a plugin, or reads what it said, may see every node: the rows of both routes
   * say so, and a credential that is limited to some nodes is refused there.
   */
  readonly listNodes: (page: {
    readonly tag?: string | undefined;
    readonly cursor?: string | undefined;
    readonly limit: number;
  }) => Promise<{ readonly items: readonly Node[]; readonly nextCursor: string | null }>;
}

type SeenNode = BrokerResult<"node.list">["nodes"][number];

export function nodeHandlers({ listNodes }: NodeDeps): Pick<BrokerHandlers, "node.list"> {
  return {
    "node.list": async (_, { tag, after, limit = brokerLimits.listNodes }) => {
      const { items, nextCursor } = await listNodes({ tag, cursor: after, limit });
      return { nodes: items.map(show), more: nextCursor !== null };
    },
  };
}

/** Field by field: what a node gains later is not shown to plugins by itself. */
function show({ id, name, tags, state, facts }: Node): SeenNode {
  return { id, name, tags: [...tags], state, facts: facts === null ? null : showFacts(facts) };
}

function showFacts({ agentVersion, arch, hostname, kernel, mode, os }: NonNullable<Node["facts"]>): SeenNode["facts"] {
  return { agentVersion, arch, hostname, kernel, mode, os };
}

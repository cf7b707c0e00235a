import type { Node } from "@gatehouse/contract/routes";
import { standingOf, stateWord } from "./say-node.ts";

export const changeKinds = ["enrolled", "removed", "state", "name", "tags", "agent", "ceiling"] as const;

export interface SeenChange {
  readonly kind: (typeof changeKinds)[number];
  readonly node: Node;
  /** For people, behind the node's name. */
  readonly words: string;
}

/** What is news between two looks at the fleet, in the order of the ids. */
export function nodeChanges(before: readonly Node[], after: readonly Node[]): SeenChange[] {
  const known = new Map(before.map((node) => [node.id, node]));
  const there = new Set(after.map(({ id }) => id));
  const gone = before.filter(({ id }) => !there.has(id));
  return [
    ...gone.map((node) => ({ kind: "removed", node, words: "Removed" }) as const),
    ...after.flatMap((node) => {
      const earlier = known.get(node.id);
      return earlier === undefined ? [arrival(node)] : differences(earlier, node);
    }),
  ].toSorted((one, other) => (one.node.id < other.node.id ? -1 : one.node.id > other.node.id ? 1 : 0));
}

function arrival(node: Node): SeenChange {
  return { kind: "enrolled", node, words: `Enrolled from ${node.hostname}; ${stateWord(node)}` };
}

function differences(before: Node, node: Node): SeenChange[] {
  const say = (kind: SeenChange["kind"], earlier: string, now: string, words: string): SeenChange[] =>
    earlier === now ? [] : [{ kind, node, words }];
  // A node that went and came between two looks has another beginning.
  const wasAway = before.state === "online" && node.state === "online" && before.since !== node.since;
  const [agent, ceiling] = [node.facts?.agentVersion ?? "", node.facts?.ceilingDigest ?? ""];
  return [
    ...say("name", before.name, node.name, `Renamed; it was ${before.name}`),
    ...say("tags", before.tags.join(" "), node.tags.join(" "), `Tags: ${node.tags.join(" ") || "none"}`),
    ...(wasAway
      ? say("state", "away", "back", `${stateWord(node)}; it was away for a moment`)
      : say("state", standingOf(before), standingOf(node), stateWord(node))),
    ...say("agent", before.facts?.agentVersion ?? "", agent, `Agent ${agent}`),
    ...say("ceiling", before.facts?.ceilingDigest ?? "", ceiling, `Ceiling ${node.facts?.mode ?? "unknown"}`),
  ];
}

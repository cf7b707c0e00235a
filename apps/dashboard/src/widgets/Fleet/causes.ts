import type { Alert, Node } from "@gatehouse/contract/routes";
import { causeOf } from "../Alerts/say-alert.ts";
import type { Stood } from "./standing.ts";

/**
 * Each node with the first of its alerts that nobody has acknowledged or silenced, and how many more there are. That it is
 * offline it says itself.
 */
export function withCauses(nodes: readonly Node[], alerts: readonly Alert[]): readonly (Node & Stood)[] {
  const causes = new Map<string, string[]>();
  for (const alert of alerts) {
    if (alert.kind === "offline" || alert.acknowledged !== null || alert.silencedUntil !== null) continue;
    const known = causes.get(alert.node);
    if (known === undefined) causes.set(alert.node, [causeOf(alert)]);
    else known.push(causeOf(alert));
  }
  if (causes.size === 0) return nodes;
  return nodes.map((node) => {
    const [first, ...others] = causes.get(node.id) ?? [];
    if (first === undefined) return node;
    return { ...node, cause: others.length === 0 ? first : `${first} and ${others.length} more` };
  });
}

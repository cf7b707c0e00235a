import type { AlertNodes } from "@gatehouse/contract";
import type { AlertRule } from "@gatehouse/contract/routes";
import type { SeenNodes } from "../../platform/route/index.ts";

/** Whether a rule or a silence is about a node; of several tags one is enough. */
export function coversNode(
  appliesTo: AlertNodes,
  { id, tags }: { readonly id: string; readonly tags: readonly string[] },
): boolean {
  if ("all" in appliesTo) return true;
  if ("tags" in appliesTo) return appliesTo.tags.some((tag) => tags.includes(tag));
  return appliesTo.nodes.includes(id);
}

/** As somebody may read it who sees only some nodes: without the others. Undefined where it names none of theirs. */
export function cutToSeen(appliesTo: AlertNodes, seen: SeenNodes): AlertRule["appliesTo"] | undefined {
  if ("all" in appliesTo) return { all: true };
  if ("tags" in appliesTo) return { tags: [...appliesTo.tags] };
  const nodes = appliesTo.nodes.filter((node) => seen.has(node));
  return nodes.length === 0 ? undefined : { nodes };
}

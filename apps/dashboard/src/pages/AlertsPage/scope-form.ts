import { type AlertNodes, alertLimits } from "@gatehouse/contract";
import type { AlertRule } from "../../api/alerts.ts";
import { readTags } from "../../widgets/Fleet/tag-text.ts";

/** Which hosts, as somebody chose and typed it. Single ones are kept as they were given. */
export interface TypedScope {
  readonly scope: "all" | "tags" | "nodes";
  readonly tags: string;
}

export function typeScope(appliesTo: AlertNodes): TypedScope {
  if ("all" in appliesTo) return { scope: "all", tags: "" };
  if ("tags" in appliesTo) return { scope: "tags", tags: appliesTo.tags.join(", ") };
  return { scope: "nodes", tags: "" };
}

/** `nodes` are those that "nodes" stands for. */
export function parseScope(
  { scope, tags: text }: TypedScope,
  nodes: readonly string[],
): { readonly appliesTo: AlertRule["appliesTo"] } | { readonly wrong: string } {
  if (scope === "all") return { appliesTo: { all: true } };
  if (scope === "nodes") return { appliesTo: { nodes: [...nodes] } };
  const read = readTags(text);
  if ("wrong" in read) return read;
  if (read.tags.length === 0) return { wrong: "Name at least one tag." };
  if (read.tags.length > alertLimits.tags) return { wrong: `At most ${alertLimits.tags} tags.` };
  return { appliesTo: { tags: read.tags } };
}

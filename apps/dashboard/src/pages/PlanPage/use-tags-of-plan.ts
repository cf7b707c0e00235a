import type { Plan } from "@gatehouse/contract/routes";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMay } from "../../api/auth.ts";
import { nodesQuery } from "../../api/nodes.ts";
import { planSectionPages } from "../../api/plans.ts";

/** Tags that hosts of the plan have, those of most hosts first; of a plan whose hosts were not all read, those of the fleet. */
export function useTagsOfPlan(plan: Plan): readonly string[] {
  const nodes = useQuery({ ...nodesQuery, enabled: useMay("node:read") }).data ?? [];
  const sections = useInfiniteQuery(planSectionPages(plan.id));
  const known = new Set(sections.data?.pages.flatMap(({ items }) => items.map(({ node }) => node)));
  const isWhole = known.size === plan.nodes;
  const counts = new Map<string, number>();
  for (const { id, tags } of nodes) {
    if (isWhole && !known.has(id)) continue;
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].toSorted(([a, many], [b, few]) => few - many || a.localeCompare(b)).map(([tag]) => tag);
}

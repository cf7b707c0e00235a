import { useQuery } from "@tanstack/react-query";
import type { PluginLines } from "../../api/map.ts";
import { linesQuery } from "../../api/map.ts";
import { contributionsQuery } from "../../api/plugins.ts";
import { linesOfContributed } from "./lines-of-contributed.ts";

const none: readonly PluginLines[] = [];

/** Lines of plugins that are active and enhance this map now; without one nothing is asked, and nothing is left of an earlier one. */
export function useFleetLines(): readonly PluginLines[] {
  const contributed = useQuery(contributionsQuery).data?.items ?? [];
  const plugins = linesOfContributed(contributed);
  const lines = useQuery({ ...linesQuery, enabled: plugins.length > 0 }).data;
  return plugins.length === 0 ? none : (lines ?? none).filter(({ plugin }) => plugins.includes(plugin));
}

import type { mapLinesRoute, NodePlace, PlaceLookup, PluginLines, placesRoute } from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";
import { readToEnd } from "./list-pages.ts";

export type { NodePlace, PlaceLookup, PluginLines };

export interface Places {
  readonly items: readonly NodePlace[];
  /** As the last page of the answer has it. */
  readonly lookup: PlaceLookup;
}

const pageSize = 1_000;
const mostPages = 50;
const whileWaitingMs = 5_000;

/** Where every node is. While addresses are still to be looked up, it is read again: nothing else tells that one was found. */
export const placesQuery = queryOptions({
  queryKey: ["map-places"],
  queryFn: async ({ signal }): Promise<Places> => {
    let lookup: PlaceLookup = { service: null, waiting: 0, trouble: null, answeredAt: null };
    const items = await readToEnd(async (cursor) => {
      const query = { limit: String(pageSize), cursor };
      const page = await fetchApi<typeof placesRoute>("GET", "/api/map/places", { signal, query });
      lookup = page.lookup;
      return page;
    }, mostPages);
    return { items, lookup };
  },
  refetchInterval: ({ state: { data, error } }) =>
    error === null && data !== undefined && data.lookup.waiting > 0
      ? whileWaitingMs * Math.max(1, Math.ceil(data.items.length / pageSize))
      : false,
});

const linesMs = 60_000;
const firstLinesMs = 2_000;

/**
 * Lines of plugins, once a minute while somebody looks: a hidden page asks for nothing. The server asks a plugin behind the answer,
 * so what it has never answered is looked at again soon.
 */
export const linesQuery = queryOptions({
  queryKey: ["map-lines"],
  queryFn: async ({ signal }): Promise<readonly PluginLines[]> =>
    (await fetchApi<typeof mapLinesRoute>("GET", "/api/map/lines", { signal })).items,
  staleTime: linesMs,
  refetchInterval: ({ state: { data, error } }) => {
    if (error !== null || data === undefined) return linesMs;
    return data.some(({ answeredAt, trouble }) => answeredAt === null && trouble === null) ? firstLinesMs : linesMs;
  },
});

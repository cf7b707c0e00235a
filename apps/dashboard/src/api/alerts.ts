import type { Alert, AlertRule, AlertSilence } from "@gatehouse/contract/routes";
import type { alertRulesRoute, alertSilencesRoute, alertsRoute } from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";
import { readToEnd } from "./list-pages.ts";

export type { Alert, AlertRule, AlertSilence };

export interface OpenAlerts {
  readonly items: readonly Alert[];
  /** Of those that the server has no room for it only says how many there are. */
  readonly unkept: number;
}

/** What one answer holds at most. A server keeps no more alerts than stand on these pages. */
const pageSize = 1_000;
const mostPages = 10;

/** Who opens one, acknowledges it or ends it, the stream tells; a newer value comes with every measured minute. */
const minuteMs = 60_000;

/** All that are open, of one node or of all that one may see. */
export const alertsQuery = (node?: string) =>
  queryOptions({
    queryKey: ["alerts", { node }],
    queryFn: async ({ signal }): Promise<OpenAlerts> => {
      let unkept = 0;
      const items = await readToEnd(async (cursor) => {
        const query = { node, limit: String(pageSize), cursor };
        const answer = await fetchApi<typeof alertsRoute>("GET", "/api/alerts", { signal, query });
        unkept = answer.unkept ?? 0;
        return answer;
      }, mostPages);
      return { items, unkept };
    },
    refetchInterval: ({ state: { data, error } }) =>
      error === null && data !== undefined && data.items.length > 0
        ? minuteMs * Math.ceil(data.items.length / pageSize)
        : false,
  });

export const alertRulesQuery = queryOptions({
  queryKey: ["alert-rules"],
  queryFn: ({ signal }) => fetchApi<typeof alertRulesRoute>("GET", "/api/alert-rules", { signal }),
});

export const alertSilencesQuery = queryOptions({
  queryKey: ["alert-silences"],
  queryFn: ({ signal }) => fetchApi<typeof alertSilencesRoute>("GET", "/api/alert-silences", { signal }),
});

import type { Overview, OverviewItem, OverviewList, overviewRoute } from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";

export type { Overview, OverviewItem, OverviewList };

/** What the passing of time alone changes is told by no event: a disk that fills, a breaker that closes, a clock that drifts. */
const quietMs = 30_000;

export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: ({ signal }) => fetchApi<typeof overviewRoute>("GET", "/api/overview", { signal }),
  refetchInterval: quietMs,
});

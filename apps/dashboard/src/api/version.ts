import type { versionRoute } from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";

export const versionQuery = queryOptions({
  queryKey: ["version"],
  queryFn: ({ signal }) => fetchApi<typeof versionRoute>("GET", "/api/version", { signal }),
  staleTime: 10 * 60_000,
});

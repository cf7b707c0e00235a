import type { versionRoute } from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import type { output } from "zod";
import { fetchApi } from "./client.ts";

export type Version = output<(typeof versionRoute)["responses"][200]>;

export const versionQuery = queryOptions({
  queryKey: ["version"],
  queryFn: ({ signal }) => fetchApi<Version>("GET", "/api/version", { signal }),
  staleTime: 10 * 60_000,
});

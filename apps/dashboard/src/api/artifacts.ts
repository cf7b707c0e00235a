import type { Artifact, artifactsRoute, removeArtifactRoute } from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";
import { readToEnd } from "./list-pages.ts";

export type { Artifact };

/** What one answer holds at most. A server keeps no more artifacts than stand on these pages. */
const pageSize = 200;
const mostPages = 20;

/** All of them, the newest first: one is chosen from them for a plan, and their sum is said. */
export const artifactsQuery = queryOptions({
  queryKey: ["artifacts"],
  queryFn: ({ signal }): Promise<readonly Artifact[]> =>
    readToEnd(
      (cursor) =>
        fetchApi<typeof artifactsRoute>("GET", "/api/artifacts", {
          signal,
          query: { limit: String(pageSize), cursor },
        }),
      mostPages,
    ),
});

export function removeArtifact(id: string): Promise<undefined> {
  return fetchApi<typeof removeArtifactRoute>("DELETE", "/api/artifacts/:id", { params: { id } });
}

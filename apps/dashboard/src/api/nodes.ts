import type {
  changeNodeRoute,
  DriftDifference,
  driftDifferenceRoute,
  Node,
  NodeDrift,
  nodeDriftRoute,
  NodeState,
  nodeRoute,
  nodesRoute,
  Plan,
  planDriftRoute,
  removeNodeRoute,
} from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { type Answer, callApi, fetchApi } from "./client.ts";
import { readToEnd } from "./list-pages.ts";
import type { CallOf } from "./route-call.ts";

export type { Node, NodeState };
export type NodeWish = CallOf<typeof changeNodeRoute>["body"];

/** What one answer holds at most. */
const pageSize = 1_000;
const mostPages = 50;

/**
 * That somebody came or went is told by the stream; when each was last heard is not, so the list is read again now and then. A hidden
 * page reads nothing, and a long list costs as many answers as it has pages, so it is read as much less often.
 */
const presenceMs = 30_000;

/** Every node, page after page: the counts, the matrix and the filters are about all of them. */
export const nodesQuery = queryOptions({
  queryKey: ["nodes"],
  queryFn: ({ signal }): Promise<readonly Node[]> =>
    readToEnd(
      (cursor) =>
        fetchApi<typeof nodesRoute>("GET", "/api/nodes", { signal, query: { limit: String(pageSize), cursor } }),
      mostPages,
    ),
  refetchInterval: ({ state: { data } }) => presenceMs * Math.max(1, Math.ceil((data?.length ?? 0) / pageSize)),
});

/** One node with the ETag that a change of it has to send. */
export const nodeQuery = (id: string) =>
  queryOptions({
    queryKey: ["node", id],
    queryFn: ({ signal }): Promise<Answer<Node>> =>
      callApi<typeof nodeRoute>("GET", "/api/nodes/:id", { params: { id }, signal }),
    refetchInterval: ({ state: { error } }) => (error === null ? presenceMs : false),
  });

/** What differs on a host from what was confirmed there; read again with the node. */
export const driftQuery = (id: string) =>
  queryOptions({
    queryKey: ["node", id, "drift"],
    queryFn: ({ signal }): Promise<NodeDrift> =>
      fetchApi<typeof nodeDriftRoute>("GET", "/api/nodes/:id/drift", { params: { id }, signal }),
  });

/** Asks the host itself: not again by itself. */
export const driftDifferenceQuery = (id: string, subject: string) =>
  queryOptions({
    queryKey: ["drift-difference", id, subject],
    queryFn: ({ signal }): Promise<DriftDifference> =>
      fetchApi<typeof driftDifferenceRoute>("GET", "/api/nodes/:id/drift/difference", {
        params: { id },
        query: { subject },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

/** The plan that gives a host back what was confirmed there. `key` as for every plan. */
export function planDriftBack(id: string, key: string): Promise<Plan> {
  return fetchApi<typeof planDriftRoute>("POST", "/api/nodes/:id/drift/plan", {
    params: { id },
    headers: { "idempotency-key": key },
    body: {},
  });
}

export function changeNode(id: string, etag: string, wish: NodeWish): Promise<Node> {
  return fetchApi<typeof changeNodeRoute>("PATCH", "/api/nodes/:id", {
    params: { id },
    headers: { "if-match": etag },
    body: wish,
  });
}

export function removeNode(id: string, etag: string): Promise<undefined> {
  return fetchApi<typeof removeNodeRoute>("DELETE", "/api/nodes/:id", {
    params: { id },
    headers: { "if-match": etag },
  });
}

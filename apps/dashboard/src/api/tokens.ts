import type { issueTokenRoute, revokeTokenRoute, tokensRoute } from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";
import { listPages } from "./list-pages.ts";
import type { CallOf, DataOf } from "./route-call.ts";

export type IssuedToken = DataOf<typeof issueTokenRoute>;
export type TokenWish = CallOf<typeof issueTokenRoute>["body"];

const most = "200";

/** All tokens one may see, or those of one owner. */
export const tokenPages = (owner?: string) =>
  listPages(["tokens", { owner }], (cursor, signal) =>
    fetchApi<typeof tokensRoute>("GET", "/api/tokens", { signal, query: { owner, limit: most, cursor } }),
  );

/** The first page, for the names in it. */
export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: ({ signal }) => fetchApi<typeof tokensRoute>("GET", "/api/tokens", { signal, query: { limit: most } }),
});

/** `key` makes a repeated click harmless: the same key issues nothing twice. */
export function issueToken(wish: TokenWish, key: string): Promise<IssuedToken> {
  return fetchApi<typeof issueTokenRoute>("POST", "/api/tokens", { body: wish, headers: { "idempotency-key": key } });
}

export function revokeToken(id: string): Promise<undefined> {
  return fetchApi<typeof revokeTokenRoute>("DELETE", "/api/tokens/:id", { params: { id } });
}

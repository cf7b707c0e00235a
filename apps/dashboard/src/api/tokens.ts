import type { issuedToken, issueTokenRoute, Token } from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import type { input, output } from "zod";
import { fetchApi } from "./client.ts";
import { listPages } from "./list-pages.ts";
import type { List } from "./list.ts";

export type IssuedToken = output<typeof issuedToken>;
export type TokenWish = input<(typeof issueTokenRoute)["body"]>;

/** All tokens one may see, or those of one owner. */
export const tokenPages = (owner?: string) =>
  listPages<Token>({ key: ["tokens"], path: "/api/tokens", limit: 200, query: { owner } });

/** The first page, for the names in it. */
export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: ({ signal }) => fetchApi<List<Token>>("GET", "/api/tokens", { signal, query: { limit: 200 } }),
});

/** `key` makes a repeated click harmless: the same key issues nothing twice. */
export function issueToken(wish: TokenWish, key: string): Promise<IssuedToken> {
  return fetchApi<IssuedToken>("POST", "/api/tokens", { body: wish, headers: { "Idempotency-Key": key } });
}

export function revokeToken(id: string): Promise<undefined> {
  return fetchApi<undefined>("DELETE", `/api/tokens/${encodeURIComponent(id)}`);
}

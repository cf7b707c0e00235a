import { issueTokenRoute, revokeTokenRoute, tokensRoute } from "@gatehouse/contract";
import { type Route, route } from "../../platform/route/index.ts";
import { issueToken } from "./issue-token.ts";
import { listTokens, revokeToken, type TokensDeps, viewToken } from "./tokens.ts";

export function tokenRoutes(deps: TokensDeps): readonly Route[] {
  return [
    route(tokensRoute, async ({ principal, query }) => {
      const { owner, cursor, limit } = query;
      const { items, nextCursor } = await listTokens(deps, principal, { owner, cursor, limit: Number(limit ?? 50) });
      return { items: [...items], nextCursor };
    }),
    route(issueTokenRoute, async ({ principal, body, headers, request }) => {
      const { record, token } = await issueToken(deps, principal, body, request, headers["idempotency-key"]);
      return { ...(await viewToken(deps, record)), token };
    }),
    route(revokeTokenRoute, async ({ principal, params, request }) => {
      await revokeToken(deps, principal, params.id, request);
      return undefined;
    }),
  ];
}

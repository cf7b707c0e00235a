import { issueTokenRoute, revokeTokenRoute, tokensRoute } from "@gatehouse/contract/routes";
import { type Route, route } from "../../platform/route/index.ts";
import { issueToken } from "./issue-token.ts";
import { listTokens, revokeToken, type TokensDeps, viewToken } from "./tokens.ts";

export function tokenRoutes(deps: TokensDeps): readonly Route[] {
  return [
    route(tokensRoute, ({ principal, nodes, query }) => {
      const { owner, cursor, limit } = query;
      const page = { owner, cursor, limit: Number(limit ?? 50) };
      return nodes.answer(() => listTokens(deps, { principal, nodes }, page));
    }),
    route(issueTokenRoute, async ({ principal, body, headers, request }) => {
      const { record, token } = await issueToken(deps, principal, body, request, headers["idempotency-key"]);
      return { ...(await viewToken(deps, record)), token };
    }),
    route(revokeTokenRoute, ({ principal, nodes, params, request }) =>
      nodes.answer(() => revokeToken(deps, { principal, nodes }, params.id, request)),
    ),
  ];
}

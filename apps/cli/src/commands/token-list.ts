import { count, shortTime, table } from "@gatehouse/command-line";
import { type Token, tokensRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";

const most = 10_000;

export const tokenList = defineCommand({
  name: "token list",
  summary: "list tokens and what they may do",
  about: [
    "Shows your tokens, and everybody's if you hold token:admin: what they may do, until when, and when they were last used. Tokens themselves are never shown again.",
    connectionAbout,
  ],
  examples: [
    { why: "See your tokens", run: "gatehouse token list" },
    { why: "Take the ids in a script", run: "gatehouse token list --json" },
  ],
  flags: {},
  run: async (_given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { items, more } = await listAll(connection, tokensRoute, { most, pageSize: 200 });
    const now = Date.now();
    const rows = items.map((token) => [
      token.id,
      token.name,
      token.owner.username,
      token.class,
      stateOf(token, now),
      shortTime(token.lastUsedAt),
      `${token.scopes.join(" ")}${token.nodes === null ? "" : ` on ${count(token.nodes.length, "node")}`}`,
    ]);
    return {
      ok: true,
      lines: [
        `${count(items.length, "token")} at ${connection.server.origin}${more ? "; there are more" : ""}`,
        ...(rows.length === 0 ? [] : table(["id", "name", "owner", "class", "state", "last used", "scopes"], rows)),
      ],
      json: { items: items.map(asJson), more },
    };
  },
});

function stateOf({ revokedAt, expiresAt }: Token, now: number): string {
  if (revokedAt !== null) return "revoked";
  return Date.parse(expiresAt) > now ? `until ${shortTime(expiresAt)}` : "expired";
}

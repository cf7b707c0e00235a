import { shortTime } from "@gatehouse/command-line";
import { whoAmIRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const whoami = defineCommand({
  name: "whoami",
  summary: "say who is asking, and what they may do",
  about: [
    "Asks the server whose credential this is, which scopes it holds at this moment and when it ends. Use it to see which server and which credential other commands would use.",
    connectionAbout,
  ],
  examples: [
    { why: "See who is signed in", run: "gatehouse whoami" },
    { why: "See what a token may do", run: "GATEHOUSE_TOKEN=$(cat token) gatehouse whoami" },
  ],
  flags: {},
  run: async (_given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { data } = await connection.call(whoAmIRoute);
    const { user, credential, scopes, nodes } = data;
    return {
      ok: true,
      lines: [
        `${user.username} (${user.role}) at ${connection.server.origin}`,
        `  id      ${user.id}`,
        `  by      ${credential.kind} ${credential.id}, until ${shortTime(credential.expiresAt)}`,
        `  scopes  ${scopes.length === 0 ? "none" : scopes.join(" ")}`,
        `  nodes   ${nodes === null ? "all" : nodes.join(" ")}`,
      ],
      json: { server: connection.server.origin, ...asJson(data) },
    };
  },
});

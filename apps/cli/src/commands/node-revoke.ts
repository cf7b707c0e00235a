import { changeNodeRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { getNamedNode, nodeArgument } from "../nodes/find-node.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const nodeRevoke = defineCommand({
  name: "node revoke",
  summary: "cut a node off at once",
  about: [
    "Ends the node's connection before the command is done, and refuses its key from then on. Its record stays, so that everybody can see it. The host keeps its agent and its state; with a new code it can be enrolled again. Use it the moment a host may be in the wrong hands: nobody is asked for a password. It needs the scope node:admin.",
    connectionAbout,
  ],
  examples: [{ why: "Cut a host off", run: "gatehouse node revoke web-1" }],
  arguments: { node: nodeArgument },
  flags: {},
  run: async (given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { node, etag } = await getNamedNode(connection, given.node);
    if (node.revokedAt !== null) {
      return { ok: true, lines: [`${node.name} was revoked before (${node.id}).`], json: { node: asJson(node) } };
    }
    const { data } = await connection.call(changeNodeRoute, {
      params: { id: node.id },
      headers: { "If-Match": etag },
      body: { revoked: true },
    });
    return {
      ok: true,
      lines: [
        `${node.name} is revoked (${node.id}): its connection has ended.`,
        `  To remove its record too: gatehouse node remove ${node.id}`,
      ],
      json: { node: asJson(data) },
    };
  },
});

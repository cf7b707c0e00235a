import { changeNodeRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { getNamedNode, nodeArgument } from "../nodes/find-node.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const nodeRename = defineCommand({
  name: "node rename",
  summary: "call a node by another name",
  about: [
    "Changes how people call a node. Its id stays, and so does the host's own name. Two nodes may have one name; then they are named by their digits. It needs the scope node:admin.",
    "If somebody else changes the node at the same moment, nothing is changed and you are told.",
    connectionAbout,
  ],
  examples: [{ why: "Give it a name that says what it is", run: "gatehouse node rename web-1 shop-front" }],
  arguments: { node: nodeArgument, name: { value: "NAME", about: "The new name, up to 64 characters." } },
  flags: {},
  run: async (given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { node, etag } = await getNamedNode(connection, given.node);
    const { data } = await connection.call(changeNodeRoute, {
      params: { id: node.id },
      headers: { "If-Match": etag },
      body: { name: given.name },
    });
    return { ok: true, lines: [`${node.name} is now called ${data.name} (${node.id}).`], json: { node: asJson(data) } };
  },
});

import { removeNodeRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { getNamedNode, nodeArgument } from "../nodes/find-node.ts";
import { callWithProof, connectionAbout, openConnection, proofAbout } from "../server/connection.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";

export const nodeRemove = defineCommand({
  name: "node remove",
  summary: "remove a node with its record",
  about: [
    "Ends the node's connection and removes its record; what was done with it stays in the audit log. There is no way back; to cut a host off quickly use gatehouse node revoke NODE. The host keeps its agent until its root runs gatehouse-agent uninstall there. It needs the scope node:admin.",
    `${proofAbout} A token is not asked.`,
    connectionAbout,
  ],
  examples: [{ why: "Remove a host that is gone", run: "gatehouse node remove web-1" }],
  arguments: { node: nodeArgument },
  flags: passwordFlags,
  run: async (given, surroundings) => {
    const connection = await openConnection(surroundings);
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 1);
    const { node, etag } = await getNamedNode(connection, given.node);
    await callWithProof({ connection, passwords }, removeNodeRoute, {
      params: { id: node.id },
      headers: { "If-Match": etag },
    });
    return {
      ok: true,
      lines: [`Removed ${node.name}, ${node.id}.`],
      json: { removed: { id: node.id, name: node.name } },
    };
  },
});

import { defineCommand } from "../command.ts";
import { nodeLines } from "../nodes/describe-node.ts";
import { getNamedNode, nodeArgument } from "../nodes/find-node.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const nodeShow = defineCommand({
  name: "node show",
  summary: "show one node: how it stands, what it allows, what it is",
  about: [
    "Shows everything that is known of a node: how it stands and since when, where its connection comes from, how far its clock is off, its ceiling with the digest that the host has signed, its agent, units, addresses and key. Times are UTC. It needs the scope node:read.",
    "The id is made from the host key: what the host signs can be checked with the id alone. The last digits and four words of it are what the host printed when it was enrolled: compare them.",
    connectionAbout,
  ],
  examples: [
    { why: "By its name", run: "gatehouse node show web-1" },
    { why: "By its last digits, for a script", run: "gatehouse node show 5d7skrbj --json" },
  ],
  arguments: { node: nodeArgument },
  flags: {},
  run: async (given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { node } = await getNamedNode(connection, given.node);
    return { ok: true, lines: nodeLines(node, Date.now()), json: { node: asJson(node) } };
  },
});

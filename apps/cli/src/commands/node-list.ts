import { count, table } from "@gatehouse/command-line";
import { agentArchitectures, ceilingLevels } from "@gatehouse/contract";
import { type Node, nodesRoute, nodeStates } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { mostNodes, nodesPage } from "../nodes/find-node.ts";
import { lastDigits, saySeen, sayState } from "../nodes/say-node.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";

export const nodeList = defineCommand({
  name: "node list",
  summary: "list nodes and how they stand",
  about: [
    "Shows every node that you may see: how it stands and since when (UTC), its tags, what its root lets the server do, its agent and what that is built for, and when it was last heard. Conditions hold together. It needs the scope node:read.",
    "Healthy and Watched are online; a node that only lets itself be watched is Watched. Not heard yet means that nobody knows: it has never connected, or the server has just started. The digits are the last of the id, and name the node in other commands.",
    connectionAbout,
  ],
  examples: [
    { why: "See the fleet", run: "gatehouse node list" },
    { why: "See who is away", run: "gatehouse node list --state offline --tag web" },
    {
      why: "See whose agent is still an earlier release",
      run: "gatehouse node list --version 1.1.0 --architecture x64",
    },
    { why: "Take it in a script", run: "gatehouse node list --json" },
  ],
  flags: {
    state: { value: "STATE", about: "Only nodes in this state.", choices: nodeStates },
    tag: { value: "TAG", about: "Only nodes with this tag." },
    version: { value: "VERSION", about: "Only nodes whose agent has this version." },
    architecture: {
      value: "ARCHITECTURE",
      about: "Only nodes whose agent is built for it.",
      choices: agentArchitectures,
    },
    ceiling: { value: "LEVEL", about: "Only nodes with this ceiling.", choices: ceilingLevels },
  },
  run: async ({ state, tag, version, architecture, ceiling }, surroundings) => {
    const connection = await openConnection(surroundings);
    const query = { state, tag, version, architecture, ceiling };
    const { items, more } = await listAll(connection, nodesRoute, { most: mostNodes, pageSize: nodesPage, query });
    const now = Date.now();
    const head = ["name", "digits", "state", "tags", "ceiling", "agent", "seen"];
    return {
      ok: true,
      lines: [
        `${count(items.length, "node")} at ${connection.server.origin}${more ? "; there are more" : ""}`,
        ...(items.length === 0
          ? []
          : table(
              head,
              items.map((node) => rowOf(node, now)),
            )),
      ],
      json: { items: items.map(asJson), more },
    };
  },
});

function rowOf(node: Node, now: number): string[] {
  const { id, name, tags, facts, lastSeenAt } = node;
  return [
    name,
    lastDigits(id),
    sayState(node, now),
    tags.join(" ") || "-",
    facts?.mode ?? "-",
    facts === null ? "-" : `${facts.agentVersion} ${facts.arch}`,
    saySeen(lastSeenAt, now),
  ];
}

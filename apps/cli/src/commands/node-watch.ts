import { setTimeout as delay } from "node:timers/promises";
import { count, type LaterFinding, UsageError } from "@gatehouse/command-line";
import { isFault } from "@gatehouse/contract";
import { type Node, nodesRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { mostNodes, nodesPage } from "../nodes/find-node.ts";
import { type SeenChange, nodeChanges } from "../nodes/node-changes.ts";
import { lastDigits } from "../nodes/say-node.ts";
import { type Connection, connectionAbout, openConnection } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";

const topic = "node watch";
const pauseMs = 2_000;

export const nodeWatch = defineCommand({
  name: topic,
  summary: "follow what changes among the nodes",
  about: [
    "Prints a line for every node that is enrolled or removed, comes or goes, or changes its name, tags, agent or ceiling, until you press Ctrl-C. Times are UTC. It asks every two seconds: what was different for a shorter time may be missed, but not that a node was away. While the server does not answer it says so and goes on. It needs the scope node:read.",
    "With --json the first line holds every node, and each line after it one change.",
    connectionAbout,
  ],
  examples: [
    { why: "Watch hosts arrive while they are enrolled", run: "gatehouse node watch" },
    { why: "Wait for the next change in a script", run: "gatehouse node watch --changes 1 --json" },
  ],
  flags: {
    tag: { value: "TAG", about: "Only nodes with this tag." },
    changes: { value: "N", about: "End after so many changes. Without it, never." },
  },
  run: async ({ tag, changes }, surroundings) => {
    const most = changes === undefined ? Number.POSITIVE_INFINITY : parseChanges(changes);
    const connection = await openConnection(surroundings);
    const look = () => lookAt(connection, tag);
    const nodes = await look();
    const online = nodes.filter(({ state }) => state === "online").length;
    return {
      ok: true,
      lines: [`${count(nodes.length, "node")} at ${connection.server.origin}, ${online} online; Ctrl-C ends`],
      json: { items: nodes.map(asJson) },
      later: follow(nodes, look, most),
    };
  },
});

async function* follow(
  nodes: readonly Node[],
  look: () => Promise<readonly Node[]>,
  most: number,
): AsyncGenerator<LaterFinding> {
  let known = nodes;
  let isAway = false;
  for (let left = most; left > 0; ) {
    await delay(pauseMs);
    const seen = await findAnswer(look);
    if ("problem" in seen) {
      if (!isAway) yield said("server", `The server does not answer: ${seen.problem}`);
      isAway = true;
      continue;
    }
    if (isAway) yield said("server", "The server answers again");
    isAway = false;
    const news = nodeChanges(known, seen.nodes).slice(0, left);
    left -= news.length;
    known = seen.nodes;
    yield* news.map(changeFinding);
  }
}

type Answer = { readonly nodes: readonly Node[] } | { readonly problem: string };

/** A server that restarts is away for a moment; whoever watches wants to see what comes then. */
async function findAnswer(look: () => Promise<readonly Node[]>): Promise<Answer> {
  try {
    return { nodes: await look() };
  } catch (error) {
    if (isFault(error, "cli.server_unreachable")) return { problem: error.detail };
    throw error;
  }
}

async function lookAt(connection: Connection, tag: string | undefined): Promise<readonly Node[]> {
  const { items } = await listAll(connection, nodesRoute, { most: mostNodes, pageSize: nodesPage, query: { tag } });
  return items;
}

function changeFinding({ kind, node, words }: SeenChange): LaterFinding {
  const at = new Date().toISOString();
  return {
    lines: [`${at.slice(11, 19)}  ${node.name} (${lastDigits(node.id)})  ${words}`],
    json: { at, change: kind, words, node: asJson(node) },
  };
}

function said(change: string, words: string): LaterFinding {
  const at = new Date().toISOString();
  return { lines: [`${at.slice(11, 19)}  ${words}`], json: { at, change, words } };
}

function parseChanges(text: string): number {
  if (/^[1-9][0-9]{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`--changes must be a whole number from 1 on; found ${JSON.stringify(text)}`, topic);
}

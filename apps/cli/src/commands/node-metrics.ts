import { nodeMetricsRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { getNamedNode, nodeArgument } from "../nodes/find-node.ts";
import { metricLines } from "../nodes/metric-lines.ts";
import { parseDuration } from "../parse-duration.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

const since = { option: "--since", topic: "node metrics", least: 120, most: 366 * 86_400 };

export const showMetrics = defineCommand({
  name: "node metrics",
  summary: "show what a node has measured: processor, memory, disk, network, load",
  about: [
    "Shows the values of the last hour, or of a longer time, as a row and a curve for each metric: now, the least, the mean and the most. A host measures a value a minute; a gap in a curve is a time without one. Times are UTC. It needs the scope node:read.",
    "Memory is what programs use, disk is how full the fullest file system is, and network is all cards without loopback and tunnels.",
    connectionAbout,
  ],
  examples: [
    { why: "See the last hour", run: "gatehouse node metrics web-1" },
    { why: "See the last week, for a script", run: "gatehouse node metrics web-1 --since 7d --json" },
  ],
  arguments: { node: nodeArgument },
  flags: { since: { value: "TIME", about: "From so long ago: 30m, 24h, 7d. Without it, 1h." } },
  run: async (given, surroundings) => {
    const seconds = parseDuration(given.since ?? "1h", since);
    const connection = await openConnection(surroundings);
    const { node } = await getNamedNode(connection, given.node);
    const from = new Date(Date.now() - seconds * 1_000).toISOString();
    const query = { from, points: shownPoints };
    const { data } = await connection.call(nodeMetricsRoute, { params: { id: node.id }, query });
    return { ok: true, lines: metricLines(node.name, data), json: { metrics: asJson(data) } };
  },
});

/** As wide as a line has room for beside the numbers. */
const shownPoints = "62";

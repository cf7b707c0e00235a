import { setTimeout as delay } from "node:timers/promises";
import { type LaterFinding, UsageError } from "@gatehouse/command-line";
import { hostLogLimits, isFault, logLevels } from "@gatehouse/contract";
import { type HostLogLine, hostLogsRoute, nodesRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { logLines, type NodeNames } from "../logs/log-lines.ts";
import { getNodeIds, mostNodes, nodesPage } from "../nodes/find-node.ts";
import { parseDuration } from "../parse-duration.ts";
import { type Connection, connectionAbout, openConnection } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";

const topic = "logs";
const most = 10_000;
const pauseMs = 1_000;
const since = { option: "--since", topic, least: 60, most: 366 * 86_400 };

export const logs = defineCommand({
  name: topic,
  summary: "search the logs of hosts, or follow them",
  about: [
    "Shows the lines that hosts have sent of their logs, the newest last; times are UTC, and those of the hosts put right by how far their clocks are off. Hosts send what their root has named there: gatehouse-agent ceiling set … --logs nginx.service. It needs the scope log:read.",
    "Where a host has left lines out, because they were more than it may send, a line says how many; they stay on the host. Control characters in a line are shown by signs for them.",
    connectionAbout,
  ],
  examples: [
    { why: "See the last lines of two hosts", run: "gatehouse logs --node web-1 --node web-2 --limit 50" },
    {
      why: "Find a phrase in what went wrong today",
      run: `gatehouse logs --words '"timed out" upstream' --level warning --since 24h`,
    },
    { why: "Follow a service as it writes", run: "gatehouse logs --node web-1 --source nginx.service --follow" },
  ],
  flags: {
    node: { value: "NODE", list: true, about: "Only of these: ids, last digits or names. Without it, of all." },
    source: {
      value: "SOURCE",
      list: true,
      about: "Only of these services (nginx.service) or files (/var/log/app.log).",
    },
    level: { value: "LEVEL", choices: logLevels, about: "Only this grave, and graver." },
    words: {
      value: "WORDS",
      about: 'Each must begin some word of the line; "several words" in quotes follow each other.',
    },
    since: { value: "TIME", about: "From so long ago: 30m, 24h, 7d." },
    limit: { value: "N", about: `At most so many lines, 1 to ${most}. Without it, ${hostLogLimits.unsaidLines}.` },
    follow: { about: "Then show lines as they arrive, until Ctrl-C. It asks every second." },
    lines: { value: "N", about: "With --follow: end after so many lines.", hidden: true },
  },
  run: async (given, surroundings) => {
    const limit = parseNumber("--limit", given.limit ?? String(hostLogLimits.unsaidLines));
    const left = given.lines === undefined ? Number.POSITIVE_INFINITY : parseNumber("--lines", given.lines);
    const seconds = given.since === undefined ? undefined : parseDuration(given.since, since);
    const connection = await openConnection(surroundings);
    const nodes = given.node === undefined ? undefined : await getNodeIds(connection, given.node);
    const query = {
      node: nodes?.join(","),
      source: given.source?.join(","),
      level: given.level,
      q: given.words,
      from: seconds === undefined ? undefined : new Date(Date.now() - seconds * 1_000).toISOString(),
    };
    // Asked first, so that what arrives while the list is read is followed, and nothing is shown twice.
    const begin = given.follow === true ? await findNewest(connection) : undefined;
    const { items, more } = await listAll(connection, hostLogsRoute, {
      most: limit,
      pageSize: pageLines,
      query,
      ...(begin !== undefined && { cursor: String(Number(begin) + 1) }),
    });
    const names = await readNames(connection);
    const rest = more ? "; there are older ones: raise --limit, or narrow the search" : "";
    return {
      ok: true,
      lines: [`${items.length} ${items.length === 1 ? "line" : "lines"}${rest}`, ...logLines(items, names)],
      json: { items: items.map(asJson), more },
      ...(begin !== undefined && { later: follow(connection, { query, names, begin, left }) }),
    };
  },
});

const pageLines = 200;

interface Following {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly names: NodeNames;
  /** Everything up to here was shown already. */
  readonly begin: string;
  readonly left: number;
}

async function* follow(connection: Connection, { query, names, begin, left }: Following): AsyncGenerator<LaterFinding> {
  let [after, rest, isAway] = [begin, left, false];
  while (rest > 0) {
    const news = await findNews(connection, { ...query, after });
    if (typeof news === "string") {
      if (!isAway) yield { lines: [`The server does not answer: ${news}`], json: { server: news } };
      isAway = true;
      await delay(pauseMs);
      continue;
    }
    if (isAway) yield { lines: ["The server answers again"], json: { server: "answers again" } };
    isAway = false;
    // The nearest are answered first, so that a full answer is followed by the next at once.
    const shown = rest < news.items.length ? news.items.slice(-rest) : news.items;
    rest -= shown.length;
    after = news.position;
    yield* shown.toReversed().map((line) => ({ lines: logLines([line], names), json: asJson(line) }));
    if (news.items.length < pageLines && rest > 0) await delay(pauseMs);
  }
}

/** The place behind every line that has arrived. */
async function findNewest(connection: Connection): Promise<string> {
  return (await connection.call(hostLogsRoute, { query: { limit: "1" } })).data.position;
}

async function findNews(
  connection: Connection,
  query: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly items: readonly HostLogLine[]; readonly position: string } | string> {
  try {
    const { data } = await connection.call(hostLogsRoute, { query: { ...query, limit: String(pageLines) } });
    return data;
  } catch (error) {
    if (isFault(error, "cli.server_unreachable")) return error.detail;
    throw error;
  }
}

/** A token may see logs and no nodes: then hosts go by their ids. */
async function readNames(connection: Connection): Promise<NodeNames> {
  try {
    const { items } = await listAll(connection, nodesRoute, { most: mostNodes, pageSize: nodesPage });
    return new Map(items.map(({ id, name }) => [id, name]));
  } catch (error) {
    if (isFault(error, "auth.scope_missing")) return new Map();
    throw error;
  }
}

function parseNumber(option: string, text: string): number {
  const number = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  throw new UsageError(`${option} must be a whole number from 1 to ${most}; found ${JSON.stringify(text)}`, topic);
}

/**
 * Host logs: the lines that hosts send of the logs their root has named, kept for a time, searched and counted.
 * Never asks a host; a line is data, and nothing is decided by it.
 */
import { hostLogLimits, logLevels } from "@gatehouse/contract";
import {
  type HostLogCounts,
  type HostLogLine,
  hostLogCountsRoute,
  hostLogsRoute,
  listOfTexts,
} from "@gatehouse/contract/routes";
import type { LogBatch, LogFilter, LogLine, Telemetry } from "@gatehouse/store/telemetry";
import { type Route, route, type SeenNodes } from "../../platform/route/index.ts";
import { chooseBars } from "./choose-bars.ts";
import { splitWords } from "./split-words.ts";

export interface HostLogsDeps {
  readonly telemetry: Pick<Telemetry, "putLogs" | "logCheckpoint" | "searchLogs" | "countLogs">;
  /** The ids of all nodes. */
  readonly nodeIds: () => Promise<readonly string[]>;
}

export interface HostLogs {
  readonly routes: readonly Route[];
  put(batch: LogBatch): Promise<boolean>;
  checkpoint(node: string): Promise<string | undefined>;
  /** Lines that were kept since the start. */
  kept(): number;
}

interface AskedFilter {
  readonly node?: string | undefined;
  readonly source?: string | undefined;
  readonly level?: (typeof logLevels)[number] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function openHostLogs({ telemetry, nodeIds }: HostLogsDeps): HostLogs {
  let kept = 0;
  /** Nodes that are asked for and may be seen: undefined for every one of a caller who sees all. */
  const nodesFor = async (seen: SeenNodes, asked: string | undefined): Promise<readonly string[] | undefined> => {
    const named = asked === undefined ? undefined : listOfTexts(asked);
    if (seen.isEvery) return named;
    return (named ?? (await nodeIds())).filter((id) => seen.has(id));
  };
  const filterFor = async (seen: SeenNodes, asked: AskedFilter): Promise<LogFilter> => {
    const nodes = await nodesFor(seen, asked.node);
    return {
      ...(nodes !== undefined && { nodes }),
      ...(asked.source !== undefined && { sources: listOfTexts(asked.source) }),
      ...(asked.level !== undefined && { level: logLevels.indexOf(asked.level) }),
      ...(asked.from !== undefined && { from: Date.parse(asked.from) }),
      ...(asked.to !== undefined && { to: Date.parse(asked.to) }),
    };
  };
  return {
    routes: [
      route(hostLogsRoute, ({ nodes, query }) =>
        nodes.answer(async (seen) => {
          const found = await telemetry.searchLogs({
            ...(await filterFor(seen, query)),
            ...(query.q !== undefined && { words: splitWords(query.q) }),
            ...(query.cursor !== undefined && { before: Number(query.cursor) }),
            ...(query.after !== undefined && { after: Number(query.after) }),
            limit: Number(query.limit ?? hostLogLimits.unsaidLines),
          });
          return {
            items: found.items.map(viewLine),
            nextCursor: found.before === undefined ? null : String(found.before),
            position: String(found.seen),
          };
        }),
      ),
      route(hostLogCountsRoute, ({ nodes, query, request }) =>
        nodes.answer(async (seen) => {
          const { from, to, stepMs } = chooseBars(query, request.now);
          const filter = await filterFor(seen, query);
          const counts = await telemetry.countLogs({ ...filter, from, to, stepMs });
          return viewCounts({ from, to, stepMs }, counts);
        }),
      ),
    ],
    put: async (batch) => {
      const isKept = await telemetry.putLogs(batch);
      if (isKept) kept += batch.lines.length;
      return isKept;
    },
    checkpoint: (node) => telemetry.logCheckpoint(node),
    kept: () => kept,
  };
}

function viewLine({ id, at, node, source, level, text, dropped }: LogLine): HostLogLine {
  return {
    id: String(id),
    at: timeOf(at),
    node,
    source,
    level: level === undefined ? null : (logLevels[level] ?? null),
    text,
    dropped: dropped === undefined ? null : { lines: dropped.lines ?? null, from: timeOf(dropped.from) },
  };
}

function viewCounts(
  { from, to, stepMs }: { readonly from: number; readonly to: number; readonly stepMs: number },
  { bars, byNode, bySource }: Awaited<ReturnType<Telemetry["countLogs"]>>,
): HostLogCounts {
  return {
    from: timeOf(from),
    to: timeOf(to),
    stepSeconds: stepMs / 1_000,
    bars: bars.map((bar) => ({ ...bar })),
    byNode: byNode.map((row) => ({ ...row })),
    bySource: bySource.map((row) => ({ ...row })),
  };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

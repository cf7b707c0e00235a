import { fitLogBatch } from "./log-batch.ts";
import { type BoundLogCounts, boundLogCounts, LogAdder } from "./log-counts.ts";
import { partBytesOf } from "./log-parts.ts";
import { answerOf, nothingFound } from "./log-answer.ts";
import { type BoundLogQuery, boundLogQuery } from "./log-query.ts";
import type { LogPiece, LogPieceLimits, LogRows } from "./log-rows.ts";
import { minuteMs } from "./pack-hour.ts";
import type { FoundLogs, LogBatch, LogLine, Telemetry, TelemetryLimits } from "./telemetry.ts";
import { openCountedTurns } from "./counted-turns.ts";

export interface OpenLogsDeps {
  readonly rows: LogRows;
  readonly now: () => number;
  readonly mayGrow: () => boolean;
  /** Says whether it went well, and warns when it did not. */
  readonly attempt: (name: string, work: () => Promise<unknown>) => Promise<boolean>;
  readonly isOpen: () => boolean;
  readonly mostLogBytes: number;
  readonly keepLogsMs: number;
  readonly limits: TelemetryLimits;
}

type LogMethods = Pick<Telemetry, "putLogs" | "logCheckpoint" | "searchLogs" | "countLogs">;

export interface OpenLogs extends LogMethods {
  /** Resolves when every batch that came before is kept or refused. */
  readonly landed: () => Promise<void>;
}

/** Lines of logs: one batch at a time is on its way to the rows, and one piece of a search. */
export function openLogs({
  rows,
  now,
  mayGrow,
  attempt,
  isOpen,
  mostLogBytes,
  keepLogsMs,
  limits,
}: OpenLogsDeps): OpenLogs {
  const puts = openCountedTurns();
  const pieces = openCountedTurns();
  const room = { mostBytes: mostLogBytes, partBytes: partBytesOf(mostLogBytes, limits.logPartBytes) };
  const piece: LogPieceLimits = { lines: limits.logPieceLines, rows: limits.logPieceRows };

  const keep = async (batch: LogBatch): Promise<boolean> => {
    if (!isOpen() || !mayGrow()) return false;
    return attempt("keeping lines of logs", async () => {
      const fit = fitLogBatch(batch, { nameChars: limits.nameChars, oldest: now() - keepLogsMs });
      if (fit === undefined) throw new Error("a batch of lines has no form");
      await rows.putLogs(fit, { ...room, now: now() });
    });
  };
  const sumUp = async (query: BoundLogCounts): Promise<LogAdder> => {
    const adder = new LogAdder(query);
    let high: number | undefined = Number.MAX_SAFE_INTEGER;
    while (high !== undefined && query.points > 0 && isOpen()) {
      const from: number = high;
      const { sums, goOn } = await pieces.take(() => rows.countLogs(query, { ...piece, high: from }));
      adder.join(sums);
      high = goOn;
    }
    return adder;
  };
  const search = async (bound: BoundLogQuery): Promise<FoundLogs> => {
    const found: LogLine[] = [];
    let lookedAt = 0;
    let newest: number | undefined;
    let goOn: number | undefined = bound.isForward ? bound.low : bound.high;
    while (goOn !== undefined && isOpen() && found.length <= bound.limit && lookedAt < limits.logRows) {
      // One more than is asked for says whether there is more.
      const limit = bound.limit + 1 - found.length;
      const query: BoundLogQuery = { ...bound, ...(bound.isForward ? { low: goOn } : { high: goOn }), limit };
      const came: LogPiece = await pieces.take(() => rows.searchLogs(query, piece));
      found.push(...came.items);
      lookedAt += came.rows;
      // What arrives between two pieces is behind a search for older ones, and before one that follows.
      newest = bound.isForward ? came.last : (newest ?? came.last);
      goOn = came.goOn;
    }
    return answerOf(bound, { found, goOn, newest: newest ?? bound.low });
  };
  return {
    // A host has one batch under way: so many are not of hosts.
    putLogs: async (batch) => (puts.waiting() < limits.queuedLogBatches ? puts.take(() => keep(batch)) : false),
    // Behind what came before: a host that is told an older place sends those lines again.
    logCheckpoint: (node) => puts.take(async () => (isOpen() ? rows.logCheckpoint(node) : undefined)),
    searchLogs: async (asked) => {
      const bound = boundLogQuery(asked, limits);
      return bound === undefined || !isOpen() ? nothingFound(asked) : search(bound);
    },
    countLogs: async (asked) => {
      const query = boundLogCounts(asked, limits);
      if (query.unitMs !== undefined) return (await sumUp(query)).counts(limits.logNames);
      // Below a minute it is lines that are counted; when they are too many, the counts of their minutes are spread. Of the nodes that
      // are asked for alone: what others send is not to be seen by how exact an answer is.
      const all = { ...query, sources: undefined, level: undefined, unitMs: minuteMs };
      const lines = [...(await sumUp(all)).sums.nodes.values()].reduce((sum, more) => sum + more, 0);
      return (await sumUp(lines > limits.logRows ? { ...query, unitMs: minuteMs } : query)).counts(limits.logNames);
    },
    landed: async () => {
      await puts.take(() => Promise.resolve());
    },
  };
}

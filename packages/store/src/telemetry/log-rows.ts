import type { FitLogBatch } from "./log-batch.ts";
import type { BoundLogCounts, LogSums } from "./log-counts.ts";
import type { BoundLogQuery } from "./log-query.ts";
import type { LogLine } from "./telemetry.ts";

/** Where lines of logs are kept: what is different between the adapters. A search is done in pieces, so that writes come between them. */
export interface LogRows {
  /** Whole, with its checkpoint, or not at all. */
  putLogs(batch: FitLogBatch, room: LogRoom): Promise<void>;
  logCheckpoint(node: string): Promise<string | undefined>;
  searchLogs(query: BoundLogQuery, piece: LogPieceLimits): Promise<LogPiece>;
  countLogs(query: BoundLogCounts, piece: LogPieceLimits & LogRange): Promise<LogCountPiece>;
}

export interface LogRoom {
  readonly now: number;
  readonly mostBytes: number;
  /** Of one part. */
  readonly partBytes: number;
}

/** A piece ends behind the part in which it has seen so many lines. */
export interface LogPieceLimits {
  readonly lines: number;
  /** And it ends where so many were looked at one by one that are not of the time or the nodes that are asked for. */
  readonly rows: number;
}

export interface LogRange {
  /** Inclusive. */
  readonly high: number;
}

export interface LogPiece {
  /** In the order in which they are looked for. */
  readonly items: readonly LogLine[];
  /** Looked at one by one. */
  readonly rows: number;
  /** The id from which on the next piece goes on; undefined when there is none, or when the piece is full. */
  readonly goOn: number | undefined;
  /** The highest id there has been at this moment. */
  readonly last: number;
}

export interface LogCountPiece {
  readonly sums: LogSums;
  /** The highest id of the next piece. */
  readonly goOn: number | undefined;
}

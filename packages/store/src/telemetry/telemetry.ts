import type { MetricValues } from "@gatehouse/contract/metrics";

/** What a node has measured in one minute. */
export interface Minute {
  readonly node: string;
  /** Milliseconds since 1970, here and below; a whole minute. */
  readonly at: number;
  /** One per metric, in the order of the contract's table. */
  readonly values: MetricValues;
}

/** One line of a host's log, as a host brings it. */
export interface NewLogLine {
  readonly source: string;
  readonly at: number;
  /** Syslog's number; undefined where the source says none. */
  readonly level: number | undefined;
  readonly text: string;
}

/** Lines that a host left out. */
export interface DroppedLines {
  readonly source: string;
  /** Undefined where nobody counted. */
  readonly lines: number | undefined;
  readonly from: number;
  readonly to: number;
}

/** What one host brings at once; it is kept whole or not at all. */
export interface LogBatch {
  readonly node: string;
  readonly lines: readonly NewLogLine[];
  readonly dropped: readonly DroppedLines[];
  /** Where the host goes on after it. */
  readonly checkpoint: string;
}

/** A kept line, or a note that lines were left out there. `id` grows in the order of arrival. */
export interface LogLine extends NewLogLine {
  readonly id: number;
  readonly node: string;
  readonly dropped: { readonly lines: number | undefined; readonly from: number } | undefined;
}

/** All conditions hold together. */
export interface LogQuery extends LogFilter {
  readonly limit: number;
  /** Only what arrived before, or after, this id; the answer is newest first either way, and nearest to it. */
  readonly before?: number;
  readonly after?: number;
}

export interface LogFilter {
  /** Undefined: all nodes. */
  readonly nodes?: readonly string[];
  readonly sources?: readonly string[];
  /** Syslog's number and what is graver. */
  readonly level?: number;
  /** Inclusive. */
  readonly from?: number;
  /** Exclusive. */
  readonly to?: number;
  /** Each has to begin a word of the line; several words in one are a phrase. */
  readonly words?: readonly string[];
}

export interface FoundLogs {
  readonly items: readonly LogLine[];
  /** Whether there may be more. */
  readonly more: boolean;
  /** Where a search for older ones goes on, also when this one gave up and found nothing: what to ask `before` next. */
  readonly before: number | undefined;
  /** Up to here everything was looked at that is newer than what was asked for: what to ask `after` to follow. */
  readonly seen: number;
}

/** Lines of equal stretches of time, by what they are. Words are not counted by. */
export interface LogCounts {
  readonly bars: readonly {
    readonly error: number;
    readonly warning: number;
    readonly info: number;
    readonly dropped: number;
  }[];
  readonly byNode: readonly { readonly node: string; readonly lines: number }[];
  readonly bySource: readonly { readonly source: string; readonly lines: number }[];
}

/** When a thing was last used or seen, and from where: an address, or the replica that saw it. */
export interface Touch {
  readonly at: number;
  readonly from?: string;
}

/** Where an address is, in the word of one lookup service. */
export interface KnownPlace {
  readonly address: string;
  /** Who said so, by its host: the word of another service does not count for it. */
  readonly service: string;
  /** When it said so. */
  readonly at: number;
  /** Undefined where the service knows none. */
  readonly place: { readonly latitude: number; readonly longitude: number; readonly label: string | null } | undefined;
}

/** One attempt to deliver a notice to a webhook. */
export interface WebhookAttempt {
  readonly webhook: string;
  /** The id of the notice. */
  readonly notice: string;
  /** Of the entry in the audit log that it tells of; 0 for a test. */
  readonly position: number;
  readonly event: string;
  readonly at: number;
  readonly attempt: number;
  readonly outcome: "taken" | "failed" | "given_up";
  readonly status?: number;
  readonly error?: string;
  readonly ms: number;
}

/** The minutes of one node, drawn together to points of equal length. */
export interface MinuteQuery {
  readonly node: string;
  /** Inclusive; a whole step since 1970. */
  readonly from: number;
  /** Exclusive; so many steps later. */
  readonly to: number;
  /** Whole minutes. */
  readonly stepMs: number;
}

/** One value per point; null where nothing was measured. */
export interface Curve {
  readonly least: MetricValues;
  readonly mean: MetricValues;
  readonly most: MetricValues;
}

export interface MinuteSeries {
  /** How many minutes were measured in this time. */
  readonly minutes: number;
  /** The newest of them, as it is kept. */
  readonly latest: Minute | undefined;
  /** One per metric, in the order of the contract's table. */
  readonly curves: readonly Curve[];
}

/**
 * What must not be a commit each: presence, last use, metrics, host logs, places that were looked up, attempts to deliver. It may be lost, all of it, without harm: nothing
 * that is decided or promised may rest on it alone. No order across replicas; what was written is read after a `flush`.
 * Adapters: memory (tests), SQLite (one container), PostgreSQL later. All pass the cases in `telemetry-cases.ts`.
 */
export interface Telemetry {
  /**
   * Writing never waits and never throws. What has no form or does not fit is dropped, oldest first, and counted.
   * A minute that comes again takes the place of what it was.
   */
  measure(rows: readonly Minute[]): void;
  /**
   * Resolves when it is kept, or with false when it is not: the disk is nearly full or fails, or this is closed. One write at a time.
   * What is too long in it is cut. The same batch twice is kept twice.
   */
  putLogs(batch: LogBatch): Promise<boolean>;
  /** Where the host goes on; undefined before its first batch, and when the file was lost. */
  logCheckpoint(node: string): Promise<string | undefined>;
  /** The newest by `at` wins, in whichever order they come, also between replicas. */
  touch(key: string, at: number, from?: string): void;
  /** Of the keys that are known. */
  lastTouched(keys: readonly string[]): Promise<ReadonlyMap<string, Touch>>;
  /** With what still waits to be written: what a host said a moment ago is in it. */
  measured(query: MinuteQuery): Promise<MinuteSeries>;
  /** Newest first by arrival. */
  searchLogs(query: LogQuery): Promise<FoundLogs>;
  countLogs(
    filter: LogFilter & { readonly from: number; readonly to: number; readonly stepMs: number },
  ): Promise<LogCounts>;
  /** The newest by `at` wins. Resolves when it is kept, or with false when it is not: a disk that is nearly full or fails, or no form. */
  keepPlace(known: KnownPlace): Promise<boolean>;
  /** What this service said of these addresses, as far as it is kept. Never rejects: what cannot be read is not known. */
  placesOf(service: string, addresses: readonly string[]): Promise<ReadonlyMap<string, KnownPlace>>;
  /** Resolves when it is kept, or with false when it is not: a disk that is nearly full or fails, or no form. */
  keepAttempt(attempt: WebhookAttempt): Promise<boolean>;
  /** Newest first. Never rejects: what cannot be read is not known. */
  attemptsOf(webhook: string): Promise<readonly WebhookAttempt[]>;
  /** Rows that were dropped since the start. */
  dropped(): number;
  /** Resolves when everything that came before is written or dropped; never rejects. Who puts logs is told by that. */
  flush(): Promise<void>;
  /** Flushes. Afterwards nothing is accepted and nothing is found. */
  close(): Promise<void>;
}

const day = 24 * 60 * 60_000;

/** Every number at which telemetry drops, cuts or forgets. */
export const telemetryLimits = {
  /** What waits to be written, by kind; batches of log lines are with those who wait for them, one with each host. */
  queuedMinutes: 250_000,
  queuedLogBatches: 20_000,
  queuedTouches: 100_000,
  /** Of a node and a key. */
  nameChars: 200,
  fromChars: 64,
  /** One write to the database; as many touches that wait start a flush before its time. */
  batchRows: 2_000,
  flushMs: 60_000,
  /** Every flush writes the minutes of this part of the nodes, so that an hour is packed six times and not sixty. */
  turns: 10,
  pageItems: 1_000,
  /** One answer about lines of logs looks at so many that are not of the time or the nodes it is about; then it says that there is more. */
  logRows: 200_000,
  /** One piece of such a search; writes come between the pieces. */
  logPieceLines: 150_000,
  logPieceRows: 20_000,
  logBars: 1_000,
  logNames: 50,
  /** One answer about minutes; what is asked for beyond it is cut off at the end. */
  points: 10_000,
  stretchMs: 367 * day,
  /** One piece of such an answer; writes come between the pieces. */
  pieceHours: 100,
  /** What is older is removed, so many rows of a kind at once; minutes by the hour, unless the caller says for how long. */
  keepMinutesMs: 30 * day,
  keepLogsMs: 14 * day,
  /** With their index, unless the caller says how much; and how much of it is removed at once. */
  mostLogBytes: 5 * 1024 ** 3,
  logPartBytes: 32 * 1024 ** 2,
  /** A token lives 90 days and stays in its list for 30 more. */
  keepTouchesMs: 180 * day,
  keepPlacesMs: 30 * day,
  /** Of places; the oldest go first. */
  places: 100_000,
  /** Attempts to deliver, of one webhook and of all of them; the oldest go first. */
  attemptsOfOne: 50,
  attempts: 2_000,
  prunedRows: 10_000,
} as const;

export type TelemetryLimits = { readonly [Name in keyof typeof telemetryLimits]: number };

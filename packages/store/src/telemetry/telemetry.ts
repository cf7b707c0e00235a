/** A figure of a node at a moment. */
export interface Sample {
  readonly node: string;
  readonly name: string;
  /** Milliseconds since 1970, here and below. */
  readonly at: number;
  readonly value: number;
}

/** One line of a host's log. */
export interface LogLine {
  readonly node: string;
  readonly unit: string;
  readonly at: number;
  readonly text: string;
}

/** When a thing was last used or seen, and from where: an address, or the replica that saw it. */
export interface Touch {
  readonly at: number;
  readonly from?: string;
}

/** The history of one figure of one node. */
export interface SampleQuery extends Range {
  readonly node: string;
  readonly name: string;
}

/** A unit is asked for within its node: across all nodes it would be a walk through every line. */
export interface LogQuery extends Range {
  readonly of?: { readonly node: string; readonly unit?: string };
}

export interface Range {
  /** Inclusive. */
  readonly from?: number;
  /** Exclusive. */
  readonly to?: number;
  /** At most `telemetryLimits.pageItems`. */
  readonly limit: number;
}

/** Newest first. Of what has one time, what was written last comes first. */
export interface TelemetryPage<Row> {
  readonly items: readonly Row[];
  readonly total: Total;
}

/** How many there are: counted up to `telemetryLimits.counted`, because counting on would read everything. */
export type Total = number | { readonly atLeast: number };

/**
 * What must not be a commit each: presence, last use, metrics, host logs. It may be lost, all of it, without harm: nothing
 * that is decided or promised may rest on it alone. No order across replicas; what was written is read after a `flush`.
 * Adapters: memory (tests), SQLite (one container), PostgreSQL later. All pass the cases in `telemetry-cases.ts`.
 */
export interface Telemetry {
  /** Writing never waits and never throws. What has no form or does not fit is dropped, oldest first, and counted. */
  sample(rows: readonly Sample[]): void;
  log(rows: readonly LogLine[]): void;
  /** The newest by `at` wins, in whichever order they come, also between replicas. */
  touch(key: string, at: number, from?: string): void;
  /** Of the keys that are known. */
  lastTouched(keys: readonly string[]): Promise<ReadonlyMap<string, Touch>>;
  samples(query: SampleQuery): Promise<TelemetryPage<Sample>>;
  logs(query: LogQuery): Promise<TelemetryPage<LogLine>>;
  /** Rows that were dropped since the start. */
  dropped(): number;
  /** Resolves when everything that came before is written or dropped; never rejects. */
  flush(): Promise<void>;
  /** Flushes. Afterwards nothing is accepted and nothing is found. */
  close(): Promise<void>;
}

const day = 24 * 60 * 60_000;

/** Every number at which telemetry drops, cuts or forgets. */
export const telemetryLimits = {
  /** What waits for the next flush, by kind; log lines also by their length in sum. */
  queuedSamples: 50_000,
  queuedLogs: 20_000,
  queuedLogChars: 8 * 1024 * 1024,
  queuedTouches: 100_000,
  /** Of a node, a name, a unit and a key. */
  nameChars: 200,
  fromChars: 64,
  textChars: 8 * 1024,
  /** One write to the database; as many that wait start a flush before its time. */
  batchRows: 2_000,
  flushMs: 60_000,
  pageItems: 1_000,
  counted: 10_000,
  /** What is older is removed, so many rows of a kind at once. */
  keepSamplesMs: 30 * day,
  keepLogsMs: 14 * day,
  /** A token lives 90 days and stays in its list for 30 more. */
  keepTouchesMs: 180 * day,
  prunedRows: 10_000,
} as const;

export type TelemetryLimits = { readonly [Name in keyof typeof telemetryLimits]: number };

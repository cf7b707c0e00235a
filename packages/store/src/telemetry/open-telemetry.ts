import type { Clock } from "@gatehouse/base";
import { type Batch, type KeyedTouch, Queue, sizeOf } from "./queue.ts";
import {
  type LogLine,
  type LogQuery,
  type Sample,
  type SampleQuery,
  type Telemetry,
  type TelemetryLimits,
  type TelemetryPage,
  telemetryLimits,
} from "./telemetry.ts";

/** Where rows are kept: all that is different between the adapters. */
export interface TelemetryRows {
  write(batch: Batch): Promise<void>;
  lastTouched(keys: readonly string[]): Promise<readonly KeyedTouch[]>;
  samples(query: SampleQuery): Promise<TelemetryPage<Sample>>;
  logs(query: LogQuery): Promise<TelemetryPage<LogLine>>;
  /** Removes a bounded part of what is older than these times; says whether there may be more. */
  prune(before: Before): Promise<boolean>;
  close(): Promise<void>;
}

export interface Before {
  readonly samples: number;
  readonly logs: number;
  readonly touches: number;
}

export interface TelemetryDeps {
  readonly clock: Pick<Clock, "now">;
  /** Calls again and again; returns the way to stop. */
  readonly every: (ms: number, act: () => void) => () => void;
  /** False while the disk is nearly full: metrics and logs stop long before the audit log does. */
  readonly mayGrow?: () => boolean;
  /** Told of what is worth a line in the log: once when something begins to fail, not each time. */
  readonly onWarning?: (message: string, cause?: unknown) => void;
  /** Smaller ones, for tests. */
  readonly limits?: Partial<TelemetryLimits>;
}

/** The port over rows: what is written waits in a bounded queue, and one flush at a time empties it. */
export function openTelemetry(rows: TelemetryRows, deps: TelemetryDeps): Telemetry {
  const limits = { ...telemetryLimits, ...deps.limits };
  const queue = new Queue(limits);
  const attempt = openAttempt(deps);
  const flush = openFlush({ rows, queue, attempt, mayGrow: deps.mayGrow ?? (() => true), batchRows: limits.batchRows });
  let closing: Promise<void> | undefined;
  const isOpen = (): boolean => closing === undefined;

  const prune = async (): Promise<void> => {
    const before = olderThan(deps.clock.now(), limits);
    while (isOpen() && (await rows.prune(before)));
  };
  let upkeep: Promise<unknown> | undefined;
  const stop = deps.every(limits.flushMs, () => {
    // One at a time: a slow disk must not pile them up.
    upkeep ??= flush()
      .then(() => attempt("removing what is old", prune))
      .finally(() => {
        upkeep = undefined;
      });
  });
  const close = async (): Promise<void> => {
    stop();
    await flush();
    await upkeep;
    await attempt("closing", () => rows.close());
  };

  /** Every row alone; then a flush before its time, when there is a whole batch. */
  const accept = <Row>(given: readonly Row[], take: (row: Row) => void): void => {
    if (!isOpen()) {
      queue.dropped += given.length;
      return;
    }
    for (const row of given) take(row);
    if (queue.size >= limits.batchRows) void flush();
  };
  const bounded = <Query extends { readonly limit: number }>(query: Query): Query => ({
    ...query,
    limit: Math.min(Math.max(Math.floor(query.limit), 1), limits.pageItems),
  });
  const takeTouch = (touch: KeyedTouch): void => queue.touch(touch);
  const nothing = { items: [], total: 0 };
  return {
    sample: (samples) => accept(samples, (row) => queue.sample(row)),
    log: (lines) => accept(lines, (row) => queue.log(row)),
    touch: (key, at, from) => accept([from === undefined ? { key, at } : { key, at, from }], takeTouch),
    lastTouched: async (keys) => {
      if (!isOpen() || keys.length === 0) return new Map();
      return new Map((await rows.lastTouched(keys)).map(({ key, ...touch }) => [key, touch]));
    },
    samples: async (query) => (isOpen() ? rows.samples(bounded(query)) : nothing),
    logs: async (query) => (isOpen() ? rows.logs(bounded(query)) : nothing),
    dropped: () => queue.dropped,
    flush: () => closing ?? flush(),
    close: () => (closing ??= close()),
  };
}

type Attempt = (name: string, work: () => Promise<unknown>) => Promise<boolean>;

/** Does the work, or warns that it failed: once, until it went well again. */
function openAttempt({ onWarning }: Pick<TelemetryDeps, "onWarning">): Attempt {
  const failing = new Set<string>();
  return async (name, work) => {
    try {
      await work();
      failing.delete(name);
      return true;
    } catch (error) {
      if (!failing.has(name)) onWarning?.(`telemetry: ${name} failed`, error);
      failing.add(name);
      return false;
    }
  };
}

interface FlushDeps {
  readonly rows: Pick<TelemetryRows, "write">;
  readonly queue: Queue;
  readonly attempt: Attempt;
  readonly mayGrow: () => boolean;
  readonly batchRows: number;
}

/** Resolves when all that waited is written, or dropped and counted. At most one runs and one waits behind it. */
function openFlush({ rows, queue, attempt, mayGrow, batchRows }: FlushDeps): () => Promise<void> {
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    const all = queue.takeAll();
    const wanted = mayGrow() ? all : { ...all, samples: [], logs: [] };
    queue.dropped += sizeOf(all) - sizeOf(wanted);
    for (const batch of cut(wanted, batchRows)) {
      if (!(await attempt("writing", () => rows.write(batch)))) queue.dropped += sizeOf(batch);
    }
  };
  return function flush(): Promise<void> {
    if (running === undefined) {
      running = drain().finally(() => {
        running = undefined;
      });
      return running;
    }
    // What came since is for the one behind; a third would find nothing.
    following ??= running.then(() => {
      following = undefined;
      return flush();
    });
    return following;
  };
}

function olderThan(now: number, limits: TelemetryLimits): Before {
  return {
    samples: now - limits.keepSamplesMs,
    logs: now - limits.keepLogsMs,
    touches: now - limits.keepTouchesMs,
  };
}

function* cut({ samples, logs, touches }: Batch, size: number): Generator<Batch> {
  const none: Batch = { samples: [], logs: [], touches: [] };
  // Last use first: it is little, and somebody looks for it.
  for (const part of parts(touches, size)) yield { ...none, touches: part };
  for (const part of parts(samples, size)) yield { ...none, samples: part };
  for (const part of parts(logs, size)) yield { ...none, logs: part };
}

function* parts<Row>(rows: readonly Row[], size: number): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

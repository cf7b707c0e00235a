import type { Clock } from "@gatehouse/base";
import { boundMinuteQuery, cutMinuteQuery, type MinutePiece } from "./bound-minute-query.ts";
import { type DrawnMinutes, DrawnSeries } from "./metric-hours.ts";
import { cutMinutes, type MinuteRows } from "./minute-rows.ts";
import type { LogRows } from "./log-rows.ts";
import { openLogs } from "./open-logs.ts";
import { type AttemptRows, openKeptAttempts } from "./open-kept-attempts.ts";
import { openKeptPlaces, type PlaceRows } from "./open-kept-places.ts";
import { type Batch, type KeyedTouch, Queue, sizeOf } from "./queue.ts";
import { type Telemetry, type TelemetryLimits, telemetryLimits } from "./telemetry.ts";
import { openCountedTurns } from "./counted-turns.ts";

/** Where rows are kept: all that is different between the adapters. */
export interface TelemetryRows extends LogRows, PlaceRows, AttemptRows {
  /** Says how many packed hours it could not read and began anew. */
  write(batch: Batch): Promise<number>;
  lastTouched(keys: readonly string[]): Promise<readonly KeyedTouch[]>;
  /** Together with minutes that are perhaps not written yet. */
  measured(piece: MinutePiece, waiting: MinuteRows): Promise<DrawnMinutes>;
  /** Removes a bounded part of what is older than these times, or more than it may be; says whether there may be more. */
  prune(before: Before): Promise<boolean>;
  close(): Promise<void>;
}

export interface Before {
  readonly minutes: number;
  readonly logs: number;
  readonly mostLogBytes: number;
  readonly touches: number;
  readonly places: number;
  readonly mostPlaces: number;
}

export interface TelemetryDeps {
  readonly clock: Pick<Clock, "now">;
  /** Calls again and again; returns the way to stop. */
  readonly every: (ms: number, act: () => void) => () => void;
  /** False while the disk is nearly full: metrics and logs stop long before the audit log does. */
  readonly mayGrow?: () => boolean;
  /** Told of what is worth a line in the log: once when something begins to fail, not each time. */
  readonly onWarning?: (message: string, cause?: unknown) => void;
  /** How long minutes are kept; 30 days unless said. */
  readonly keepMinutesMs?: number;
  /** How long lines of logs are kept, 14 days unless said, and how much they may take with their index, 5 GiB unless said. */
  readonly keepLogsMs?: number;
  readonly mostLogBytes?: number;
  /** Smaller ones, for tests. */
  readonly limits?: Partial<TelemetryLimits>;
}

/** The port over rows: what is written waits in a bounded queue, and one flush at a time empties it. */
export function openTelemetry(rows: TelemetryRows, deps: TelemetryDeps): Telemetry {
  const limits = { ...telemetryLimits, ...deps.limits };
  const {
    keepMinutesMs = limits.keepMinutesMs,
    keepLogsMs = limits.keepLogsMs,
    mostLogBytes = limits.mostLogBytes,
  } = deps;
  const mayGrow = deps.mayGrow ?? (() => true);
  const queue = new Queue(limits);
  const attempt = openAttempt(deps);
  const noteDamage = openNoteDamage(deps);
  const flush = openFlush({
    write: async (batch) => noteDamage(await rows.write(batch)),
    queue,
    attempt,
    mayGrow,
    batchRows: limits.batchRows,
  });
  const everyTurn = Array.from({ length: limits.turns }, (_, turn) => turn);
  const flushAll = (): Promise<void> => flush(everyTurn);
  const pieces = openCountedTurns();
  let closing: Promise<void> | undefined;
  const isOpen = (): boolean => closing === undefined;

  const { landed, ...logs } = openLogs({
    rows,
    now: () => deps.clock.now(),
    mayGrow,
    attempt,
    isOpen,
    mostLogBytes,
    keepLogsMs,
    limits,
  });
  const { landed: placesLanded, ...places } = openKeptPlaces({ rows, mayGrow, attempt, isOpen, limits });

  const { landed: attemptsLanded, ...attempts } = openKeptAttempts({ rows, mayGrow, attempt, isOpen, limits });

  const prune = async (): Promise<void> => {
    const before = olderThan(deps.clock.now(), { ...limits, keepMinutesMs, keepLogsMs, mostLogBytes });
    while (isOpen() && (await rows.prune(before)));
  };
  let upkeep: Promise<unknown> | undefined;
  let turn = 0;
  const stop = deps.every(limits.flushMs, () => {
    // One at a time: a slow disk must not pile them up. A turn that is not taken is not over.
    if (upkeep !== undefined) return;
    upkeep = flush([turn])
      .then(() => attempt("removing what is old", prune))
      .finally(() => {
        upkeep = undefined;
      });
    turn = (turn + 1) % limits.turns;
  });
  const close = async (): Promise<void> => {
    stop();
    await flushAll();
    await landed();
    await placesLanded();
    await attemptsLanded();
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
    // So many minutes wait only when hosts have come back after a long time, with all that they hold.
    if (queue.minutes * 2 > limits.queuedMinutes) void flushAll();
    else if (queue.size >= limits.batchRows) void flush([]);
  };
  const takeTouch = (touch: KeyedTouch): void => queue.touch(touch);
  return {
    measure: (minutes) => accept(minutes, (row) => queue.measure(row)),
    touch: (key, at, from) => accept([from === undefined ? { key, at } : { key, at, from }], takeTouch),
    lastTouched: async (keys) => {
      if (!isOpen() || keys.length === 0) return new Map();
      return new Map((await rows.lastTouched(keys)).map(({ key, ...touch }) => [key, touch]));
    },
    measured: async (asked) => {
      const { query, points } = boundMinuteQuery(asked, limits);
      const drawn = new DrawnSeries(points);
      for (const piece of points === 0 ? [] : cutMinuteQuery(query, limits.pieceHours)) {
        if (!isOpen()) break;
        // What is under way is in it too, and may be on the disk when the rows are read: a minute that comes twice is one minute.
        const read = () => rows.measured(piece, queue.minutesOf(piece.node));
        drawn.join(piece.first, await pieces.take(read));
      }
      noteDamage(drawn.damaged);
      return drawn.series();
    },
    ...logs,
    ...places,
    ...attempts,
    dropped: () => queue.dropped,
    flush: () => closing ?? flushAll(),
    close: () => (closing ??= close()),
  };
}

type Attempt = (name: string, work: () => Promise<unknown>) => Promise<boolean>;

/** What goes well and fails by turns, as somebody else wishes, fills no log. */
const quietMs = 60_000;

/** Does the work, or warns that it failed: once, until it went well again, and at most once a minute. */
function openAttempt({ onWarning, clock }: Pick<TelemetryDeps, "onWarning" | "clock">): Attempt {
  const failing = new Set<string>();
  const toldAt = new Map<string, number>();
  const isQuiet = (name: string): boolean => Math.abs(clock.now() - (toldAt.get(name) ?? -quietMs)) < quietMs;
  return async (name, work) => {
    try {
      await work();
      failing.delete(name);
      return true;
    } catch (error) {
      // What was not told now is told by the next that fails.
      if (failing.has(name) || isQuiet(name)) return false;
      failing.add(name);
      toldAt.set(name, clock.now());
      onWarning?.(`telemetry: ${name} failed`, error);
      return false;
    }
  };
}

/** Warns of packed hours that cannot be read: once, because a page that is looked at would tell of the same one again and again. */
function openNoteDamage({ onWarning }: Pick<TelemetryDeps, "onWarning">): (hours: number) => void {
  let isTold = false;
  return (hours) => {
    if (hours === 0 || isTold) return;
    isTold = true;
    onWarning?.("telemetry: an hour of measurements cannot be read; it counts as not measured");
  };
}

interface FlushDeps {
  readonly write: (batch: Batch) => Promise<void>;
  readonly queue: Queue;
  readonly attempt: Attempt;
  readonly mayGrow: () => boolean;
  readonly batchRows: number;
}

/**
 * Resolves when all that waited is written, or dropped and counted; of the minutes those whose turn is named. At most one runs and one
 * waits behind it.
 */
function openFlush({
  write,
  queue,
  attempt,
  mayGrow,
  batchRows,
}: FlushDeps): (turns: readonly number[]) => Promise<void> {
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let wantedTurns = new Set<number>();
  const drain = async (): Promise<void> => {
    const all = queue.take(wantedTurns);
    wantedTurns = new Set();
    const wanted = mayGrow() ? all : { ...all, minutes: [] };
    queue.dropped += sizeOf(all) - sizeOf(wanted);
    for (const batch of cut(wanted, batchRows)) {
      if (!(await attempt("writing", () => write(batch)))) queue.dropped += sizeOf(batch);
    }
    queue.landed();
  };
  const run = (): Promise<void> => {
    running = drain().finally(() => {
      running = undefined;
    });
    return running;
  };
  return function flush(turns) {
    for (const turn of turns) wantedTurns.add(turn);
    if (running === undefined) return run();
    // What came since is for the one behind; a third would find nothing.
    following ??= running.then(() => {
      following = undefined;
      return running ?? run();
    });
    return following;
  };
}

function olderThan(now: number, limits: TelemetryLimits): Before {
  return {
    minutes: now - limits.keepMinutesMs,
    logs: now - limits.keepLogsMs,
    mostLogBytes: limits.mostLogBytes,
    touches: now - limits.keepTouchesMs,
    places: now - limits.keepPlacesMs,
    mostPlaces: limits.places,
  };
}

function* cut({ minutes, touches }: Batch, size: number): Generator<Batch> {
  const none: Batch = { minutes: [], touches: [] };
  // Last use first: it is little, and somebody looks for it.
  for (const part of parts(touches, size)) yield { ...none, touches: part };
  for (const part of cutMinutes(minutes, size)) yield { ...none, minutes: part };
}

function* parts<Row>(rows: readonly Row[], size: number): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

import { metricNames } from "@gatehouse/contract/metrics";
import type { MinutePiece } from "./bound-minute-query.ts";
import { CurveSums, type PointSums } from "./curve-sums.ts";
import { type MinuteRows, readMinuteRows } from "./minute-rows.ts";
import {
  emptyHour,
  type HourCodes,
  hourMs,
  minuteMs,
  packHour,
  putMinute,
  readMinute,
  readMetricValue,
  unpackHour,
} from "./pack-hour.ts";
import type { Minute, MinuteSeries } from "./telemetry.ts";

/** The packed hours of one node, by their number since 1970. */
export interface NodeHours {
  read(hour: number): Uint8Array | undefined;
  write(hour: number, packed: Uint8Array): void;
}

/** Puts minutes into the hours they are of; the newest word on a minute wins. Returns how many hours could not be read and began anew. */
export function keepMinutes(rows: MinuteRows, hours: NodeHours): number {
  let damaged = 0;
  for (const [number, minutes] of byHour(rows)) {
    const hour = openHour(hours.read(number));
    if (hour === "damaged") damaged += 1;
    hours.write(number, packHour(withMinutes(hour === "damaged" ? emptyHour() : hour, minutes)));
  }
  return damaged;
}

/** Of one piece. */
export interface DrawnMinutes extends Pick<MinuteSeries, "minutes" | "latest"> {
  readonly columns: readonly PointSums[];
  /** Hours that could not be read; as if nothing had been measured in them. */
  readonly damaged: number;
}

/** Draws what is kept and what waits to be written together. The piece is within its bounds. */
export function drawMinutes(piece: MinutePiece, waiting: MinuteRows, hours: NodeHours): DrawnMinutes {
  const { node, from, low, to, stepMs } = piece;
  const sums = new CurveSums(Math.ceil((to - from) / stepMs), metricNames.length);
  const later = byHour(waiting);
  let damaged = 0;
  let minutes = 0;
  let latest: Minute | undefined;
  for (let number = Math.floor(low / hourMs); number * hourMs < to; number += 1) {
    const packed = hours.read(number);
    const more = later.get(number);
    if (packed === undefined && more === undefined) continue;
    const kept = openHour(packed);
    if (kept === "damaged") damaged += 1;
    const hour = withMinutes(kept === "damaged" ? emptyHour() : kept, more ?? []);
    const times = timesOf(hour, Math.max(number * hourMs, low), Math.min((number + 1) * hourMs, to));
    const last = times.at(-1);
    if (last === undefined) continue;
    minutes += times.length;
    latest = { node, at: last, values: readMinute(hour, last) ?? [] };
    // Metric by metric, as they lie there: a year has five million values.
    for (let n = 0; n < metricNames.length; n += 1) {
      for (const at of times) {
        const value = readMetricValue(hour, n, at);
        if (value !== null) sums.add(n, Math.floor((at - from) / stepMs), value);
      }
    }
  }
  return { minutes, latest, columns: sums.columns, damaged };
}

/** What the pieces of a stretch have drawn, in their order; without any, nothing was measured. */
export class DrawnSeries {
  damaged = 0;
  readonly #sums: CurveSums;
  #minutes = 0;
  #latest: Minute | undefined;

  constructor(points: number) {
    this.#sums = new CurveSums(points, metricNames.length);
  }

  join(first: number, { minutes, latest, columns, damaged }: DrawnMinutes): void {
    this.#sums.join(first, columns);
    this.#minutes += minutes;
    this.#latest = latest ?? this.#latest;
    this.damaged += damaged;
  }

  series(): MinuteSeries {
    return { minutes: this.#minutes, latest: this.#latest, curves: this.#sums.curves() };
  }
}

type RowOfMinute = ReturnType<typeof readMinuteRows> extends Generator<infer Row> ? Row : never;

function byHour(rows: MinuteRows): Map<number, RowOfMinute[]> {
  return Map.groupBy(readMinuteRows(rows), ({ at }) => Math.floor(at / hourMs));
}

/** The minutes that were measured from this time to before that one. */
function timesOf({ present }: HourCodes, from: number, to: number): readonly number[] {
  const times: number[] = [];
  for (let at = Math.ceil(from / minuteMs) * minuteMs; at < to; at += minuteMs) {
    if (present[(at / minuteMs) % present.length] === 1) times.push(at);
  }
  return times;
}

function openHour(packed: Uint8Array | undefined): HourCodes | "damaged" {
  if (packed === undefined) return emptyHour();
  try {
    return unpackHour(packed);
  } catch {
    return "damaged";
  }
}

function withMinutes(hour: HourCodes, minutes: readonly RowOfMinute[]): HourCodes {
  for (const { at, values } of minutes) putMinute(hour, at, values);
  return hour;
}

import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { MetricValues } from "@gatehouse/contract/metrics";
import { type MetricCode, metricCodes } from "./metric-codes.ts";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
const minutesOfHour = 60;

/** What one node measured in one hour, as whole numbers. */
export interface HourCodes {
  /** 1 where there is a minute. */
  readonly present: Uint8Array;
  /** Metric by metric 60 numbers: 0 for null, else the code and one more. */
  readonly codes: Float64Array;
}

export function emptyHour(): HourCodes {
  return { present: new Uint8Array(minutesOfHour), codes: new Float64Array(metricCodes.length * minutesOfHour) };
}

/** Takes the place of what this minute was. `values` may be anything that is indexed; NaN is null. */
export function putMinute({ present, codes }: HourCodes, at: number, values: ArrayLike<number>): void {
  const minute = minuteOf(at);
  for (let n = 0; n < metricCodes.length; n += 1) {
    const { encode, tolerance } = metricCodes[n] as MetricCode;
    const place = n * minutesOfHour + minute;
    const value = values[n] ?? Number.NaN;
    const code = Number.isNaN(value) ? 0 : encode(value, at) + 1;
    codes[place] = code > 0 && tolerance > 0 ? settle(codes, place, code, tolerance) : code;
  }
  present[minute] = 1;
}

/** The code of the minute itself, of the one before or of the one behind, if it means the same. */
function settle(codes: Float64Array, place: number, code: number, tolerance: number): number {
  const begin = place - (place % minutesOfHour);
  const means = (at: number): number | undefined => {
    const known = codes[at] ?? 0;
    return known > 0 && Math.abs(known - code) <= tolerance ? known : undefined;
  };
  const beside = (step: 1 | -1): number | undefined => {
    for (let at = place + step; at >= begin && at < begin + minutesOfHour; at += step) {
      if ((codes[at] ?? 0) > 0) return means(at);
    }
    return undefined;
  };
  return means(place) ?? beside(-1) ?? beside(1) ?? code;
}

/** Undefined where there is no such minute. */
export function readMinute(hour: HourCodes, at: number): MetricValues | undefined {
  if (hour.present[minuteOf(at)] !== 1) return undefined;
  return metricCodes.map((_, n) => readMetricValue(hour, n, at));
}

/** Of a metric by its number. */
export function readMetricValue({ codes }: HourCodes, metric: number, at: number): number | null {
  const code = codes[metric * minutesOfHour + minuteOf(at)] ?? 0;
  return code === 0 ? null : (metricCodes[metric]?.decode(code - 1, at) ?? null);
}

function minuteOf(at: number): number {
  return Math.floor(at / minuteMs) % minutesOfHour;
}

/** The first byte: the version of what follows, and whether that is deflated. */
const version = 1;
const deflated = 0x80;
/** One for the number of columns, 60 bits for the minutes that are there. */
const headBytes = 1 + 8;
const varintBytes = 7;
/** What the most columns that a byte can count need. */
const mostBytes = headBytes + 255 * minutesOfHour * varintBytes;
// Little memory for each: an hour is some hundred bytes.
const packing = { level: 9, windowBits: 12, memLevel: 5, chunkSize: 1024 };
const unpacking = { maxOutputLength: mostBytes, chunkSize: 1024 };

export function packHour(hour: HourCodes): Uint8Array {
  const body = writeBody(hour);
  const small = deflateRawSync(body, packing);
  const isSmaller = small.length < body.length;
  const packed = new Uint8Array(1 + (isSmaller ? small.length : body.length));
  packed[0] = isSmaller ? version | deflated : version;
  packed.set(isSmaller ? small : body, 1);
  return packed;
}

/** Throws for what `packHour` has not written. Columns that it does not know are left away; those that are missing are null. */
export function unpackHour(packed: Uint8Array): HourCodes {
  const [first = 0] = packed;
  if ((first & ~deflated) !== version)
    throw new Error(`a packed hour: expected version ${version}, found byte ${first}`);
  if (packed.length > mostBytes) throw new Error(`a packed hour: expected at most ${mostBytes} bytes`);
  const body = packed.subarray(1);
  return readBody((first & deflated) === 0 ? body : inflateRawSync(body, unpacking));
}

function writeBody({ present, codes }: HourCodes): Uint8Array {
  const bytes = new Uint8Array(headBytes + codes.length * varintBytes);
  bytes[0] = metricCodes.length;
  let end = headBytes;
  const minutes = minutesIn(present);
  for (const minute of minutes) bytes[1 + (minute >> 3)] = (bytes[1 + (minute >> 3)] ?? 0) | (1 << (minute & 7));
  for (let begin = 0; begin < codes.length; begin += minutesOfHour) {
    let before = 0;
    for (const minute of minutes) {
      const code = codes[begin + minute] ?? 0;
      const change = code - before;
      before = code;
      // Small changes of either sign become small numbers.
      let rest = change < 0 ? -2 * change - 1 : 2 * change;
      for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[end++] = (rest % 128) | 128;
      bytes[end++] = rest;
    }
  }
  return bytes.subarray(0, end);
}

function readBody(body: Uint8Array): HourCodes {
  const hour = emptyHour();
  const [columns = 0] = body;
  if (body.length < headBytes) throw new Error("a packed hour: it ends within its head");
  for (let bit = 0; bit < 64; bit += 1) {
    const is = ((body[1 + (bit >> 3)] ?? 0) >> (bit & 7)) & 1;
    if (bit < minutesOfHour) hour.present[bit] = is;
    else if (is === 1) throw new Error("a packed hour: it has more than 60 minutes");
  }
  const minutes = minutesIn(hour.present);
  const reader = new Varints(body, headBytes);
  for (let n = 0; n < columns; n += 1) {
    const most = (metricCodes[n]?.most ?? Number.MAX_SAFE_INTEGER) + 1;
    let code = 0;
    for (const minute of minutes) {
      const next = reader.next();
      code += next % 2 === 1 ? -(next + 1) / 2 : next / 2;
      if (code < 0 || code > most) throw new Error(`a packed hour: column ${n} has ${code}, the most is ${most}`);
      if (n < metricCodes.length) hour.codes[n * minutesOfHour + minute] = code;
    }
  }
  reader.end();
  return hour;
}

function minutesIn(present: Uint8Array): readonly number[] {
  const minutes: number[] = [];
  for (let minute = 0; minute < minutesOfHour; minute += 1) if (present[minute] === 1) minutes.push(minute);
  return minutes;
}

class Varints {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  next(): number {
    let value = 0;
    for (let n = 0, weight = 1; n < varintBytes; n += 1, weight *= 128) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new Error("a packed hour: it ends too early");
      this.#at += 1;
      value += (byte & 127) * weight;
      if (byte < 128) return value;
    }
    throw new Error("a packed hour: a number is too long");
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new Error("a packed hour: something follows it");
  }
}

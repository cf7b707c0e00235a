import type { LogLine, Sample, TelemetryLimits, Touch } from "./telemetry.ts";

/** What is written at once. */
export interface Batch {
  readonly samples: readonly Sample[];
  readonly logs: readonly LogLine[];
  readonly touches: readonly KeyedTouch[];
}

export interface KeyedTouch extends Touch {
  readonly key: string;
}

export function sizeOf({ samples, logs, touches }: Batch): number {
  return samples.length + logs.length + touches.length;
}

/** What waits to be written: bounded by kind, so that a host that talks a lot costs no other kind a row. */
export class Queue {
  dropped = 0;
  readonly #limits: TelemetryLimits;
  readonly #samples: Line<Sample>;
  readonly #logs: Line<LogLine>;
  /** In the order in which they came; a later touch of a key takes the place of an earlier one. */
  #touches = new Map<string, Touch>();

  constructor(limits: TelemetryLimits) {
    this.#limits = limits;
    this.#samples = new Line({ rows: limits.queuedSamples, weight: Number.POSITIVE_INFINITY }, () => 0);
    this.#logs = new Line({ rows: limits.queuedLogs, weight: limits.queuedLogChars }, ({ text }) => text.length);
  }

  get size(): number {
    return this.#samples.size + this.#logs.size + this.#touches.size;
  }

  sample(row: Sample): void {
    const { nameChars } = this.#limits;
    const fits = isName(row.node, nameChars) && isName(row.name, nameChars) && isTime(row.at);
    this.dropped += fits && Number.isFinite(row.value) ? this.#samples.push(row) : 1;
  }

  log(row: LogLine): void {
    const { nameChars, textChars } = this.#limits;
    const fits = isName(row.node, nameChars) && isName(row.unit, nameChars) && isTime(row.at);
    this.dropped += fits && row.text.length <= textChars ? this.#logs.push(row) : 1;
  }

  touch({ key, at, from }: KeyedTouch): void {
    const { nameChars, fromChars, queuedTouches } = this.#limits;
    if (!isName(key, nameChars) || !isTime(at) || (from !== undefined && from.length > fromChars)) {
      this.dropped += 1;
      return;
    }
    const known = this.#touches.get(key);
    if (known !== undefined && known.at >= at) return;
    this.#touches.delete(key);
    this.#touches.set(key, from === undefined ? { at } : { at, from });
    if (this.#touches.size <= queuedTouches) return;
    const [oldest = key] = this.#touches.keys();
    this.#touches.delete(oldest);
    this.dropped += 1;
  }

  /** Empties the queue. */
  takeAll(): Batch {
    const touches = [...this.#touches].map(([key, touch]) => ({ key, ...touch }));
    this.#touches = new Map();
    return { samples: this.#samples.takeAll(), logs: this.#logs.takeAll(), touches };
  }
}

/** First in, first out; what comes in pushes the oldest out when there is no room. */
class Line<Row> {
  readonly #most: { readonly rows: number; readonly weight: number };
  readonly #weigh: (row: Row) => number;
  /** Before `#begin` there is nothing any more. */
  #rows: (Row | undefined)[] = [];
  #begin = 0;
  #weight = 0;

  constructor(most: { readonly rows: number; readonly weight: number }, weigh: (row: Row) => number) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#rows.length - this.#begin;
  }

  /** Returns how many had to go for it. */
  push(row: Row): number {
    this.#rows.push(row);
    this.#weight += this.#weigh(row);
    let gone = 0;
    while (this.size > this.#most.rows || this.#weight > this.#most.weight) {
      this.#weight -= this.#weigh(this.#rows[this.#begin] as Row);
      this.#rows[this.#begin] = undefined;
      this.#begin += 1;
      gone += 1;
    }
    // Now and then, because moving all rows up for each that goes would cost more than the rows.
    if (this.#begin > this.#most.rows) {
      this.#rows = this.#rows.slice(this.#begin);
      this.#begin = 0;
    }
    return gone;
  }

  takeAll(): readonly Row[] {
    const rows = this.#begin === 0 ? this.#rows : this.#rows.slice(this.#begin);
    this.#rows = [];
    this.#begin = 0;
    this.#weight = 0;
    return rows as Row[];
  }
}

function isName(text: string, mostChars: number): boolean {
  return text.length > 0 && text.length <= mostChars;
}

function isTime(at: number): boolean {
  return Number.isSafeInteger(at) && at >= 0;
}

import { metricNames } from "@gatehouse/contract/metrics";
import { countMinutes, type MinuteRows, type NodeMinutes } from "./minute-rows.ts";
import { minuteMs } from "./pack-hour.ts";
import type { Minute, TelemetryLimits, Touch } from "./telemetry.ts";
import { WaitingMinutes } from "./waiting-minutes.ts";

/** What is written at once. */
export interface Batch {
  readonly minutes: readonly NodeMinutes[];
  readonly touches: readonly KeyedTouch[];
}

export interface KeyedTouch extends Touch {
  readonly key: string;
}

export function sizeOf({ minutes, touches }: Batch): number {
  return countMinutes(minutes) + touches.length;
}

/** What waits to be written: bounded by kind, so that a host that talks a lot costs no other kind a row. */
export class Queue {
  dropped = 0;
  readonly #limits: TelemetryLimits;
  readonly #minutes: WaitingMinutes;
  /** In the order in which they came; a later touch of a key takes the place of an earlier one. */
  #touches = new Map<string, Touch>();

  constructor(limits: TelemetryLimits) {
    this.#limits = limits;
    this.#minutes = new WaitingMinutes({ most: limits.queuedMinutes, turns: limits.turns });
  }

  /** Without minutes: those wait for their turn. */
  get size(): number {
    return this.#touches.size;
  }

  get minutes(): number {
    return this.#minutes.size;
  }

  measure(row: Minute): void {
    const fits = isName(row.node, this.#limits.nameChars) && isTime(row.at) && row.at % minuteMs === 0;
    this.dropped += fits && isMeasured(row.values) ? this.#minutes.put(row) : 1;
  }

  /** What of a node is waiting or under way. */
  minutesOf(node: string): MinuteRows {
    return this.#minutes.of(node);
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

  /** Empties the queue; of the minutes it takes those whose turn it is. `landed` follows when nothing of it is under way any more. */
  take(turns: ReadonlySet<number>): Batch {
    const touches = [...this.#touches].map(([key, touch]) => ({ key, ...touch }));
    this.#touches = new Map();
    return { minutes: this.#minutes.take((turn) => turns.has(turn)), touches };
  }

  landed(): void {
    this.#minutes.landed();
  }
}

function isName(text: string, mostChars: number): boolean {
  return text.length > 0 && text.length <= mostChars;
}

function isTime(at: number): boolean {
  return Number.isSafeInteger(at) && at >= 0;
}

function isMeasured(values: Minute["values"]): boolean {
  return values.length === metricNames.length && values.every((value) => value === null || Number.isFinite(value));
}

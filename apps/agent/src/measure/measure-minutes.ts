import type { Clock } from "@gatehouse/base";
import { metricLimits } from "@gatehouse/contract";
import type { StopTimer, Timers } from "../host/timers.ts";
import { type HeldMinute, openMinuteBook } from "./minute-book.ts";
import type { HostReading } from "./read-host.ts";
import { valuesBetween } from "./values-between.ts";

/** Measures the host at the end of every whole minute of its clock, and holds what nobody has acknowledged. */
export interface Measuring {
  begin(): void;
  /** From now on nothing is read. */
  end(): void;
  /** The held minutes behind a number, oldest first, as many as one message has. */
  after(number: number): readonly HeldMinute[];
  /** The server has all up to a number. */
  forget(upTo: number): void;
}

export interface MeasuringDeps {
  readonly clock: Pick<Clock, "now">;
  readonly timers: Timers;
  readonly readHost: () => Promise<HostReading>;
  /** How long the host has been running, asleep or awake. Null where it does not say. */
  readonly uptimeMs: () => number | null;
}

const { minuteMs } = metricLimits;

/** A timer that comes so late was not busy but asleep, or somebody has set the clock. */
const lateMs = 20_000;

export function openMeasuring(deps: MeasuringDeps): Measuring {
  return new MinuteMeasuring(deps);
}

class MinuteMeasuring implements Measuring {
  readonly #deps: MeasuringDeps;
  readonly #book = openMinuteBook();
  #stopTimer: StopTimer = () => undefined;
  #isOver = false;
  #isReading = false;
  #before: HostReading | undefined;
  /** The beginning of the minute that was measured last. */
  #last = Number.NEGATIVE_INFINITY;
  /** The time at which this host came up, as its clock has it: it changes when somebody sets the clock, and never otherwise. */
  #cameUp: number | undefined;

  constructor(deps: MeasuringDeps) {
    this.#deps = deps;
  }

  begin(): void {
    this.#followClock();
    void this.#read();
    this.#arm();
  }

  end(): void {
    this.#isOver = true;
    this.#stopTimer();
  }

  after(number: number): readonly HeldMinute[] {
    this.#followClock();
    return this.#book.after(number);
  }

  forget(upTo: number): void {
    this.#book.forget(upTo);
  }

  /** From the clock each time, so that neither a timer that drifts nor a clock that jumps lasts longer than a minute. */
  #arm(): void {
    const now = this.#deps.clock.now();
    const due = now - (now % minuteMs) + minuteMs;
    this.#stopTimer = this.#deps.timers.after(due - now, () => this.#arrive(due));
  }

  #arrive(due: number): void {
    this.#followClock();
    const lateBy = this.#deps.clock.now() - due;
    this.#arm();
    // A timer may be a moment early, and a clock may be set back.
    if (lateBy < 0 || this.#isReading) return;
    const at = due - minuteMs;
    const isMissed = lateBy > lateMs || at < 0 || at <= this.#last;
    // What was before a sleep is nothing to compare with: as at the start, it is read for the next.
    void (isMissed ? this.#read() : this.#measure(at));
  }

  /** `at` is the beginning of the minute that has ended. */
  async #measure(at: number): Promise<void> {
    this.#last = at;
    const { before, now } = await this.#read();
    // Named as the clock names it by now: it may have been set while a disk took its time.
    if (!this.#isOver) this.#book.add({ at: this.#last, values: valuesBetween(before, now) });
  }

  async #read(): Promise<{ readonly before: HostReading | undefined; readonly now: HostReading }> {
    this.#isReading = true;
    const before = this.#before;
    const now = await this.#deps.readHost();
    this.#before = now;
    this.#isReading = false;
    return { before, now };
  }

  /**
   * The server corrects what it is told by how far the host's clock is wrong now. A minute that was named before the clock was
   * set would be corrected wrongly: it is named anew, in whole minutes, so that a server that has it already knows it again.
   */
  #followClock(): void {
    const uptime = this.#deps.uptimeMs();
    if (uptime === null) return;
    const cameUp = this.#deps.clock.now() - uptime;
    this.#cameUp ??= cameUp;
    const by = Math.round((cameUp - this.#cameUp) / minuteMs) * minuteMs;
    if (by === 0) return;
    this.#cameUp += by;
    this.#last += by;
    this.#book.move(by);
  }
}

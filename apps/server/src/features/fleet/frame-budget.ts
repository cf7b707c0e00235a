import { channelLimits } from "@gatehouse/channel";
import { fault, metricLimits } from "@gatehouse/contract";
import { fleetLimits } from "./limits.ts";

interface Allowance {
  readonly ms: number;
  readonly most: number;
  readonly of: string;
}

/** What one connection may send; more of it ends the connection. */
export const allowances = {
  messages: { ms: 1_000, most: channelLimits.framesPerSecond, of: "messages in a second" },
  signed: { ms: 60_000, most: fleetLimits.factsPerMinute, of: "signed messages in a minute" },
  witness: { ms: 60_000, most: fleetLimits.witnessWordsPerMinute, of: "words about the log in a minute" },
  headPages: { ms: 60_000, most: channelLimits.headPagesPerMinute, of: "pages of heads in a minute" },
  measured: { ms: 60_000, most: metricLimits.takenPerMinute, of: "measured minutes in a minute" },
} as const satisfies Record<string, Allowance>;

/** Counts what came in the running stretch of time. */
export class FrameBudget {
  readonly #allowance: Allowance;
  #stretch = 0;
  #used = 0;

  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  /** Refuses what is too much. */
  use(monotonic: number, count = 1): void {
    const { ms, most, of } = this.#allowance;
    const stretch = Math.floor(monotonic / ms);
    if (stretch !== this.#stretch) [this.#stretch, this.#used] = [stretch, 0];
    this.#used += count;
    if (this.#used > most) throw fault("frame.rate", `more than ${most} ${of}`);
  }
}

import { geoLimits } from "./limits.ts";

/** Addresses whose question failed, and until when each is left alone. In memory: a restart is a new try. */
export class LeftAlone {
  readonly #left = new Map<string, { readonly times: number; readonly until: number }>();

  note(address: string, now: number): void {
    const times = (this.#left.get(address)?.times ?? 0) + 1;
    this.#left.delete(address);
    this.#left.set(address, { times, until: now + doubled(geoLimits.leaveMs, times, geoLimits.mostLeaveMs) });
    const [oldest = address] = this.#left.keys();
    if (this.#left.size > geoLimits.left) this.#left.delete(oldest);
  }

  forget(address: string): void {
    this.#left.delete(address);
  }

  /** Whether the last question for it failed. */
  has(address: string): boolean {
    return this.#left.has(address);
  }

  isDue(address: string, now: number): boolean {
    return (this.#left.get(address)?.until ?? 0) <= now;
  }
}

/** So long the first time, twice as long each time after it, up to the most. */
export function doubled(first: number, times: number, most: number): number {
  return Math.min(first * 2 ** Math.min(times - 1, 40), most);
}

import { type Counts, countsOf, gateSeed } from "../../../tools/ci.ts";

/** How often each thing is done, and the seed of everything random. Set by `run.ts`. */
export const counts: Counts<"security"> = countsOf("security", process.env["SECURITY_SHORT"] !== "");
export const seed = Number(process.env["SECURITY_SEED"] ?? gateSeed);

/** Repeatable randomness (mulberry32): the seed of the run and a name give the same numbers every time. */
export class Chance {
  #state: number;

  constructor(name: string, from = seed) {
    this.#state = from >>> 0;
    for (const character of name)
      this.#state = (Math.imul(this.#state ^ character.charCodeAt(0), 0x01000193) >>> 0) + 1;
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  /** A whole number from 0 up to `end`, which is left out. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  /** `most` of the items at the most, each once, in random order. */
  sample<T>(items: readonly T[], most: number): T[] {
    const rest = [...items];
    for (let at = rest.length - 1; at > 0; at -= 1) {
      const other = this.below(at + 1);
      [rest[at], rest[other]] = [rest[other] as T, rest[at] as T];
    }
    return rest.slice(0, most);
  }

  word(length = 24): string {
    return Array.from({ length }, () => "abcdefghijkmnpqrstuvwxyz23456789"[this.below(32)]).join("");
  }
}

/** A small seeded generator: the same seed and stream give the same choices on every machine. */
export class Random {
  #state: number;

  /** `stream` is a case's number: each case draws for itself, whoever came before it. */
  constructor(seed: number, stream = 0) {
    this.#state = (seed ^ Math.imul(stream + 1, 0x9e3779b1)) >>> 0;
    for (let i = 0; i < 4; i += 1) this.next();
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  fill(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = this.below(256);
  }

  /** Characters of one byte each, any of them. */
  bytes(most: number): string {
    return Array.from({ length: this.below(most + 1) }, () => String.fromCharCode(this.below(256))).join("");
  }

  /** Characters that are awkward somewhere: quotes, line ends, wide ones, one that turns the direction. */
  text(most: number, letters = 'abcdefghijklmnopqrstuvwxyz0123456789-./ "\\\n\u0000é€😀\u202e'): string {
    const characters = Array.from(letters);
    return Array.from({ length: this.below(most + 1) }, () => this.pick(characters)).join("");
  }
}

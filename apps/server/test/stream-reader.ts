import type { Sink } from "../src/platform/route/index.ts";

/** A reader that takes what it gets, or stops taking. */
export class StreamReader implements Sink {
  text = "";
  isStuck = false;
  isEnded = false;
  isCut = false;
  #queued = 0;
  #drained: (() => void)[] = [];
  #waiting: { when: (text: string) => boolean; resolve: () => void }[] = [];

  write(text: string): void {
    this.text += text;
    if (this.isStuck) this.#queued += text.length;
    const ready = this.#waiting.filter(({ when }) => when(this.text));
    this.#waiting = this.#waiting.filter((one) => !ready.includes(one));
    for (const { resolve } of ready) resolve();
  }
  queued(): number {
    return this.#queued;
  }
  onceDrained(then: () => void): void {
    this.#drained.push(then);
  }
  end(): void {
    this.isEnded = true;
  }
  cut(): void {
    this.isCut = true;
  }
  drain(): void {
    this.isStuck = false;
    this.#queued = 0;
    for (const then of this.#drained.splice(0)) then();
  }
  until(when: (text: string) => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (when(this.text)) resolve();
      else this.#waiting.push({ when, resolve });
    });
  }
  /** Positions of the changes it was told, in order. */
  positions(): number[] {
    return [...this.text.matchAll(/event: change\nid: (\d+)\n/g)].map((match) => Number(match[1]));
  }
}

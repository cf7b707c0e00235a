/** One user at a time, in the order of asking. Taking a free turn costs nothing. */
export class Turn {
  #taken = false;
  readonly #waiting: Array<() => void> = [];

  tryTake(): boolean {
    if (this.#taken) return false;
    this.#taken = true;
    return true;
  }

  async take(): Promise<void> {
    if (this.tryTake()) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken = false;
    else next();
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.take();
    try {
      return await work();
    } finally {
      this.give();
    }
  }
}

import { stopMs } from "../../support/stopped.ts";

/** The lines a program writes, as they come. A test waits for one of them; it never waits for a time. */
export class Lines {
  readonly #lines: string[] = [];
  readonly #waiting = new Set<() => void>();
  #rest = "";
  #ended = false;

  get all(): readonly string[] {
    return this.#lines;
  }

  get text(): string {
    return [...this.#lines, ...(this.#rest === "" ? [] : [this.#rest])].join("\n");
  }

  add(part: string): void {
    const lines = (this.#rest + part).split("\n");
    this.#rest = lines.pop() ?? "";
    this.#lines.push(...lines);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  matching(pattern: RegExp): string[] {
    return this.#lines.filter((line) => pattern.test(line));
  }

  /** The first line that matches, now or later. Gives up when the program has ended; the limit only stops what hangs. */
  waitFor(pattern: RegExp, limitMs = stopMs): Promise<string> {
    return new Promise((resolve, reject) => {
      const finish = (act: () => void) => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        act();
      };
      const missed = (why: string) => new Error(`no line ${pattern} ${why}; the output is:\n${this.text}`);
      const look = () => {
        const found = this.#lines.find((line) => pattern.test(line));
        if (found !== undefined) finish(() => resolve(found));
        else if (this.#ended) finish(() => reject(missed("before the end")));
      };
      const timer = setTimeout(() => finish(() => reject(missed(`came; stopped after ${limitMs / 1_000} s`))), limitMs);
      this.#waiting.add(look);
      look();
    });
  }

  #wake(): void {
    for (const look of this.#waiting) look();
  }
}

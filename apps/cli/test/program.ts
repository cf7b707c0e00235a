import { type ChildProcess, spawn } from "node:child_process";
import { stopMs } from "../../../tests/support/stopped.ts";

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A program that was started as from a shell. What it says is kept, and can be waited for. */
export class Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  #out = "";
  #err = "";
  #seen = 0;
  readonly #listeners = new Set<() => void>();

  constructor(file: string, words: readonly string[], options: { cwd: string; env: Record<string, string> }) {
    this.child = spawn(file, words, { ...options, stdio: "pipe" });
    this.child.stdout?.setEncoding("utf8").on("data", (part: string) => this.#heard(() => (this.#out += part)));
    this.child.stderr?.setEncoding("utf8").on("data", (part: string) => this.#heard(() => (this.#err += part)));
    // A program may end before it has read everything.
    this.child.stdin?.on("error", () => undefined);
    this.ended = new Promise((resolve, reject) => {
      this.child.once("error", reject);
      this.child.once("close", (code) => {
        resolve({ code, out: this.#out, err: this.#err });
        this.#heard(() => undefined);
      });
    });
  }

  get out(): string {
    return this.#out;
  }

  /** Waits until `text` stands on standard output, behind what was waited for before. */
  async waitFor(text: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (why: string) =>
      reject(new Error(`${why} before ${JSON.stringify(text)}:\n${this.#out}\n${this.#err}`));
    const look = () => {
      const at = this.#out.indexOf(text, this.#seen);
      if (at !== -1) {
        this.#seen = at + text.length;
        resolve();
      } else if (this.child.exitCode !== null || this.child.signalCode !== null) fail("it ended");
    };
    const timer = setTimeout(() => fail(`stopped after ${stopMs / 1_000} s`), stopMs);
    this.#listeners.add(look);
    look();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#listeners.delete(look);
    }
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  #heard(keep: () => void): void {
    keep();
    for (const listener of this.#listeners) listener();
  }
}

import type { ActionEnd, RunningAction } from "./action.ts";

export interface RunChannel {
  readonly send: (line: string) => void;
  readonly kill: (reason: string) => void;
}

/** The caller's side of one action: lines wait for their listener, and the end comes once. */
export class PendingRun implements RunningAction {
  readonly staged: string;
  readonly onEnd: Promise<ActionEnd>;
  /** Known as soon as there is a process. */
  group: number | undefined;
  readonly #channel: RunChannel;
  readonly #resolve: (end: ActionEnd) => void;
  #listener: ((line: string) => void) | undefined;
  #early: string[] = [];
  #hasEnded = false;

  constructor(staged: string, channel: RunChannel) {
    this.staged = staged;
    this.#channel = channel;
    const { promise, resolve } = Promise.withResolvers<ActionEnd>();
    this.onEnd = promise;
    this.#resolve = resolve;
  }

  send(line: string): void {
    if (line.includes("\n")) throw new TypeError("a line holds no line end");
    if (!this.#hasEnded) this.#channel.send(line);
  }

  lines(listener: (line: string) => void): void {
    this.#listener = listener;
    for (const line of this.#early.splice(0)) listener(line);
  }

  kill(reason: string): void {
    if (!this.#hasEnded) this.#channel.kill(reason);
  }

  hear(line: string): void {
    if (this.#listener === undefined) this.#early.push(line);
    else this.#listener(line);
  }

  settle(end: ActionEnd): void {
    this.#hasEnded = true;
    this.#resolve(end);
  }
}

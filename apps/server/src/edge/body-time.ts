import type { IncomingMessage } from "node:http";

/**
 * How long is waited for a body. The server's own limit is that of the longest stream; what a row reads whole has to be there much
 * sooner, and a stream has to move. One wait at a time: `begin` takes the place of the one before.
 */
export class BodyTime {
  readonly #req: IncomingMessage;
  readonly #onLate: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(req: IncomingMessage, onLate: () => void) {
    this.#req = req;
    this.#onLate = onLate;
    req.once("close", () => this.pause());
  }

  begin(ms: number): void {
    this.pause();
    if (this.#req.destroyed) return;
    this.#timer = setTimeout(() => {
      // All of it is here, and waits for us.
      if (!this.#req.complete) this.#onLate();
    }, ms).unref();
  }

  /** What takes long now is not the sender. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

import type { Told } from "./port.ts";

type Listener = (told: readonly Told[]) => void;

/** Listeners for durable commits. One that throws hurts nobody else: a follower is told, never asked. */
export class Followers {
  readonly #listeners = new Set<Listener>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  get any(): boolean {
    return this.#listeners.size > 0;
  }

  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(told: readonly Told[]): void {
    for (const listener of this.#listeners) {
      try {
        listener(told);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}

import type { Clock } from "@gatehouse/base";

/** When repeated failures stop a plugin from being asked, and for how long (contract 3.1 and 8). */
export const breakerRules = { failures: 5, openMs: 30_000 } as const;

export type BreakerState = "closed" | "open" | "half-open";

/** What a call made of the breaker. A trial that fails leaves it open, which is no turn. */
export type BreakerTurn = "opened" | "closed" | null;

/** The right to run once. Whoever has it says how it went; `undefined`: it was not run after all, and says nothing. */
export interface Pass {
  finish(succeeded: boolean | undefined): BreakerTurn;
}

/**
 * A circuit breaker: five failures in a row open it for 30 seconds; then one trial call decides, and the others are still
 * refused until it has. Time is monotonic, so that a clock set back does not keep it open.
 */
export class Breaker {
  readonly #clock: Pick<Clock, "monotonic">;
  #failures = 0;
  #openedAt: number | undefined;
  #trial: Pass | undefined;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  get state(): BreakerState {
    if (this.#openedAt === undefined) return "closed";
    return this.#trial !== undefined || this.#waitMs(this.#openedAt) === 0 ? "half-open" : "open";
  }

  /** Failures in a row so far. */
  get failures(): number {
    return this.#failures;
  }

  /** Lets one call through, or says in how many milliseconds to ask again. */
  enter(): Pass | { readonly retryMs: number } {
    const pass: Pass = { finish: (succeeded) => this.#finish(pass, succeeded) };
    if (this.#openedAt === undefined) return pass;
    const retryMs = this.#waitMs(this.#openedAt);
    if (retryMs > 0) return { retryMs };
    if (this.#trial !== undefined) return { retryMs: 1_000 };
    this.#trial = pass;
    return pass;
  }

  #finish(pass: Pass, succeeded: boolean | undefined): BreakerTurn {
    const isTrial = this.#trial === pass;
    if (isTrial) this.#trial = undefined;
    if (succeeded === undefined) return null;
    // Calls that began before it opened are late: only the trial speaks for how the plugin is now.
    if (this.#openedAt !== undefined && !isTrial) return null;
    const wasOpen = this.#openedAt !== undefined;
    this.#failures = succeeded ? 0 : this.#failures + 1;
    const opens = isTrial ? !succeeded : this.#failures >= breakerRules.failures;
    this.#openedAt = opens ? this.#clock.monotonic() : undefined;
    if (wasOpen === opens) return null;
    return opens ? "opened" : "closed";
  }

  #waitMs(openedAt: number): number {
    return Math.max(0, Math.ceil(openedAt + breakerRules.openMs - this.#clock.monotonic()));
  }
}

import type { Clock, Json } from "@gatehouse/base";
import { type ActionName, type Capability, fault } from "@gatehouse/contract";
import { brokerMethods } from "@gatehouse/contract/broker";
import { Breaker, breakerRules, type BreakerState, type Pass } from "./breaker.ts";
import type { ActionRun } from "./runner.ts";

export const runtimeLimits = {
  /** Actions of one plugin, and of all plugins together, that run at once; more are refused with a time to come back. */
  perPlugin: 16,
  altogether: 64,
  /** Of those, plans: each may hold a question and an answer as long as a plan. */
  plans: 4,
  /** Failures that are kept to be shown. */
  lastErrors: 10,
  reasonChars: 500,
  stderrChars: 2_000,
} as const;

export interface ActionError {
  readonly at: number;
  readonly action: ActionName;
  readonly reason: string;
  readonly stderr: string;
}

/** What a plugin says of itself; a plan is somebody's, and is not kept. */
export type SelfAction = Exclude<ActionName, "plan">;

export type LastAnswer = { readonly at: number; readonly askedAt: number; readonly ms: number } & (
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly reason: string }
);

/** What an armed plugin did since it was armed: for its breaker, and for whoever looks at it. In memory only. */
export class Ledger {
  readonly #breaker: Breaker;
  readonly #clock: Clock;
  readonly #used = new Map<Capability, number>();
  readonly #errors: ActionError[] = [];
  readonly #answers = new Map<SelfAction, LastAnswer>();
  #running = 0;
  #actions = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#breaker = new Breaker(clock);
  }

  get breaker(): BreakerState {
    return this.#breaker.state;
  }

  get failuresInARow(): number {
    return this.#breaker.failures;
  }

  get actions(): number {
    return this.#actions;
  }

  /** Newest first. */
  get lastErrors(): readonly ActionError[] {
    return this.#errors;
  }

  /** How often each capability was really used. */
  get used(): ReadonlyMap<Capability, number> {
    return this.#used;
  }

  /** What it said last, whoever asked. */
  answerTo(action: SelfAction): LastAnswer | undefined {
    return this.#answers.get(action);
  }

  /**
   * Lets an action begin, or refuses it with the time to come back. What the server asks by itself is no reason to leave a
   * plugin alone: when a busy machine lets it run late, that must not be held against whoever asks next.
   */
  enter(id: string, isOwn = false): Pass {
    if (this.#running >= runtimeLimits.perPlugin) throw busy(`${id} runs ${runtimeLimits.perPlugin} actions already`);
    const entered = isOwn ? this.#enterAside() : this.#breaker.enter();
    if ("retryMs" in entered) {
      const retryAfter = Math.ceil(entered.retryMs / 1_000);
      const last = this.#errors[0]?.reason ?? "";
      throw fault("plugin.breaker_open", `${id} failed ${this.failuresInARow} times in a row, the last time: ${last}`, {
        fields: { retryAfter },
      });
    }
    this.#running += 1;
    return {
      finish: (succeeded) => {
        this.#running -= 1;
        return entered.finish(succeeded);
      },
    };
  }

  #enterAside(): Pass | { readonly retryMs: number } {
    // The one trial of an open breaker is for whoever wants an answer.
    return this.breaker === "closed" ? { finish: () => null } : { retryMs: breakerRules.openMs };
  }

  begin(): void {
    this.#actions += 1;
  }

  keepAnswer(action: SelfAction, answer: LastAnswer): void {
    this.#answers.set(action, answer);
  }

  record(action: ActionName, { calls }: Pick<ActionRun, "calls">, failure?: { reason: string; stderr: string }): void {
    for (const { method, count, refused } of calls) {
      if (method === "unknown" || count === refused) continue;
      const { capability } = brokerMethods[method];
      this.#used.set(capability, (this.#used.get(capability) ?? 0) + count - refused);
    }
    if (failure === undefined) return;
    const { reason } = failure;
    const stderr = failure.stderr.slice(-runtimeLimits.stderrChars).toWellFormed();
    this.#errors.unshift({ at: this.#clock.now(), action, reason, stderr });
    this.#errors.length = Math.min(this.#errors.length, runtimeLimits.lastErrors);
  }
}

export function busy(detail: string): Error {
  return fault("plugin.busy", detail, { fields: { retryAfter: 1 } });
}

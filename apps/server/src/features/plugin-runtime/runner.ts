import type { Json } from "@gatehouse/base";
import type { VerifiedBundle } from "@gatehouse/bundle/verify";
import { type ActionName, fault } from "@gatehouse/contract";
import type { CallTally } from "../plugin-broker/index.ts";
import type { SessionOutcome } from "./action-session.ts";

/** What makes a verified bundle able to run. One adapter per runner; none stands in for another (contract 3.1). */
export interface Runner {
  /**
   * Checks the pinned digest again, stages the artifact and attaches its broker, or refuses with
   * `plugin.activation_failed` and leaves nothing behind. Settles within a deadline of its own.
   */
  arm(bundle: VerifiedBundle): Promise<Armed>;
}

export interface Armed {
  /** How it is confined, in a word that people read. */
  readonly sandbox: string;
  /** One action in one fresh process. Never rejects for what the plugin does. */
  run(action: ActionName, params: Json): Promise<ActionRun>;
  /** Broker first, then processes, then the staged copy; every step runs, also after one failed. */
  disarm(): Promise<void>;
}

/** One action from its start to its end: what came of it, what it asked for, how long it took. */
export interface ActionRun {
  readonly outcome: SessionOutcome;
  /** Counted and named, never the values. */
  readonly calls: readonly CallTally[];
  readonly ms: number;
}

/** A runner for where plugins cannot run at all: everything before it works, and the reason is told. */
export function noRunner(reason: string): Runner {
  return { arm: () => Promise.reject(fault("plugin.activation_failed", reason)) };
}

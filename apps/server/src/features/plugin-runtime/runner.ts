import type { VerifiedBundle } from "@gatehouse/bundle/verify";
import { fault } from "@gatehouse/contract";

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
  /** Broker first, then processes, then the staged copy; every step runs, also after one failed. */
  disarm(): Promise<void>;
}

/** The runner of a version without a plugin runtime: everything before it works, and nothing runs. */
export const noRunner: Runner = {
  arm: () => Promise.reject(fault("plugin.activation_failed", "this version has no plugin runtime yet")),
};

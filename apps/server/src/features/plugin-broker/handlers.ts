import type { ActionName, BrokerMethod, Capability } from "@gatehouse/contract";
import type { BrokerParams, BrokerResult } from "@gatehouse/contract/broker";

/** What the broker has to know of a plugin. It comes from the manifest that was verified, never from the plugin. */
export interface BrokerPlugin {
  readonly id: string;
  readonly publisher: string;
  readonly capabilities: readonly Capability[];
  readonly egressHosts: readonly string[];
  /** Which bytes act; for the audit log. */
  readonly payloadSha256: string;
}

/** On whose behalf a handler works. */
export interface BrokerCaller {
  readonly plugin: BrokerPlugin;
  readonly action: ActionName;
  /** Aborted when the plugin is detached or the action ends: what is not begun is not begun any more. */
  readonly signal: AbortSignal;
  /** Counts the call under a declared host. */
  readonly noteHost: (host: string) => void;
}

/** One handler for each method of the contract's table: a method without one does not compile. */
export type BrokerHandlers = {
  readonly [M in BrokerMethod]: (caller: BrokerCaller, params: BrokerParams<M>) => Promise<BrokerResult<M>>;
};

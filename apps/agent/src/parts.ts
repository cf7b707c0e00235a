import type { AgentPaths } from "./config.ts";
import type { RunOnHost } from "./host/run-on-host.ts";
import type { ConnectionStatus } from "./status/connection-status.ts";

/** What `enrol` needs from this host besides the network. It is called by root, when program, group and units are in place. */
export interface EnrolDeps {
  readonly paths: AgentPaths;
  readonly run: RunOnHost;
  readonly code: string;
  readonly newIdentity: boolean;
  /** Certificates of the only authorities that are believed, as PEM. */
  readonly ca?: string;
  readonly version: string;
  readonly architecture: string;
}

export interface EnrolledHost {
  readonly nodeId: string;
  readonly server: string;
  /** What a person compares with the dashboard. */
  readonly words: readonly string[];
}

/** Spends the code: keys, server.json, the exchange. Throws a fault, with everything as it was before. */
export type EnrolHost = (deps: EnrolDeps) => Promise<EnrolledHost>;

/** What the network part needs; it has a user of its own and reaches nothing else of the host. */
export interface AgentDeps {
  readonly paths: AgentPaths;
  readonly version: string;
  readonly architecture: string;
  /** Aborted when systemd asks the agent to stop. */
  readonly stop: AbortSignal;
  readonly noteStatus: (status: ConnectionStatus) => Promise<void>;
}

/** Keeps the connection until it is told to stop. Throws `host.not_enrolled` when trying again would not help. */
export type RunAgent = (deps: AgentDeps) => Promise<void>;

/** One line of `doctor` about the way to the server: name, address, certificate, answer. */
export interface ReachCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  readonly todo: string;
}

export type CheckReach = (paths: AgentPaths) => Promise<readonly ReachCheck[]>;

/** The parts that speak with a server. A version without one refuses the verb that needs it, before it has done anything. */
export interface NetworkParts {
  readonly enrolHost?: () => Promise<EnrolHost>;
  readonly runAgent?: () => Promise<RunAgent>;
  readonly checkReach?: () => Promise<CheckReach>;
}

/**
 * Harness: tries a built plugin at its author's desk, in the sandbox and under the limits of a server, with a broker in memory.
 * Never opens a connection for a plugin and never touches a server or a host.
 */
export { describeRun } from "./describe-run.ts";
export { type MemoryBrokerOptions, openMemoryBroker } from "./memory-broker.ts";
export type { HarnessRun } from "./harness-run.ts";
export { type Harness, type HarnessOptions, openHarness } from "./open-harness.ts";
export type { RunCall } from "./speak-with.ts";

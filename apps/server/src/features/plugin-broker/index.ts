/**
 * Plugin broker: the calls a plugin may make of the server while it answers an action, and what it used of them.
 * Never gives a plugin more than its capabilities, never another plugin's things, and nothing at all once it is detached.
 */
export { type Broker, type BrokerDeps, type BrokerHandle, openBroker } from "./open-broker.ts";
export type { BrokerAction } from "./begin-action.ts";
export type { BrokerCaller, BrokerHandlers, BrokerPlugin } from "./handlers.ts";
export type { CallTally } from "./tally.ts";
export { type KvDeps, kvHandlers } from "./kv-handlers.ts";
export { logHandlers } from "./log-handlers.ts";
export { type MetricDeps, metricHandlers } from "./metric-handlers.ts";
export { type NodeDeps, nodeHandlers } from "./node-handlers.ts";
export { type FetchDeps, fetchHandlers } from "./fetch-handlers.ts";

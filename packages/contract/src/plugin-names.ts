import * as z from "zod";

/** How plugins and publishers are called. It is also the name of a bundle's directory, so nothing in it can be a path. */
export const pluginIdPattern = /^[a-z0-9][a-z0-9-]{1,62}$/;

export const pluginId = z
  .string()
  .regex(pluginIdPattern, "must be 2 to 63 of a-z, 0-9 and -, and begin with a letter or digit");

export const sha256Pattern = /^[0-9a-f]{64}$/;
export const sha256Hex = z.string().regex(sha256Pattern, "must be a SHA-256 digest: 64 characters of 0-9 and a-f");

/** The first 32 hex characters of the SHA-256 of the raw public key: an id that cannot be given to another key. */
export const keyIdPattern = /^[0-9a-f]{32}$/;
export const keyId = z.string().regex(keyIdPattern, "must be 32 characters of 0-9 and a-f");

/** Persisted lifecycle states (contract 3). */
export const lifecycleStates = ["verified", "installed", "active", "disabled"] as const;
export type LifecycleState = (typeof lifecycleStates)[number];

/** Three runners, three decisions: none stands in for another (contract 3.1). */
export const runnerNames = ["system", "worker", "wasm"] as const;
export type RunnerName = (typeof runnerNames)[number];

/** All that a plugin is ever asked (contract 1): it describes, reports its health and draws up plans. It does nothing to a host. */
export const actionNames = ["describe", "health", "plan"] as const;
export type ActionName = (typeof actionNames)[number];

export function isActionName(name: string): name is ActionName {
  return (actionNames as readonly string[]).includes(name);
}

/** What a plugin can ask of the server (contract 3.1); `brokerMethods` has the forms. */
export const brokerMethodNames = [
  "kv.get",
  "kv.list",
  "kv.put",
  "kv.delete",
  "log.write",
  "node.list",
  "metric.read",
  "http.fetch",
] as const;
export type BrokerMethod = (typeof brokerMethodNames)[number];

export function isBrokerMethod(name: string): name is BrokerMethod {
  return (brokerMethodNames as readonly string[]).includes(name);
}

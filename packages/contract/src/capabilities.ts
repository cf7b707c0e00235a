/** How far a capability reaches: the plugin's own things, what is known of the fleet, the network, or a plan that changes a host. */
export const capabilityRisks = ["own", "fleet", "network", "host"] as const;
export type CapabilityRisk = (typeof capabilityRisks)[number];

/**
 * Every capability a manifest can declare (contract 2.2): how far it reaches and what it allows, in the words an operator
 * reads before accepting a bundle. A name that is not here is refused.
 */
export const capabilities = {
  "kv:read": { risk: "own", says: "Read the plugin's own stored values." },
  "kv:write": { risk: "own", says: "Write the plugin's own stored values, within a quota." },
  "log:write": { risk: "own", says: "Write lines to the plugin's log." },
  "node:read": { risk: "fleet", says: "Read names, tags, states and systems of all nodes." },
  "metric:read": { risk: "fleet", says: "Read what nodes measure: processor, memory, disk, network, load." },
  "http:egress": { risk: "network", says: "Send HTTPS requests to the hosts its manifest names, and to no others." },
  "host:firewall": { risk: "host", says: "Draw up plans that change a host's firewall table." },
  "host:network": { risk: "host", says: "Draw up plans that change a host's network interfaces." },
  "host:service": { risk: "host", says: "Draw up plans that restart a host's services." },
  "host:file": { risk: "host", says: "Draw up plans that write files on a host." },
  "host:binary": { risk: "host", says: "Draw up plans that replace programs on a host." },
} as const satisfies Record<string, { risk: CapabilityRisk; says: string }>;

export type Capability = keyof typeof capabilities;
export const capabilityNames = Object.keys(capabilities) as readonly Capability[];

export function isCapability(name: string): name is Capability {
  return Object.hasOwn(capabilities, name);
}

/** Host-risk capabilities only let a plan hold such operations; the plan still needs its own approval (contract 1). */
export function isHostRisk(capability: Capability): boolean {
  return capabilities[capability].risk === "host";
}

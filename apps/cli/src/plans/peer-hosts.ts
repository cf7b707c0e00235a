import type { Operation } from "@gatehouse/plan";

/** A host of the plan, by the name that the server gives it. */
export interface KeyHost {
  readonly node: string;
  readonly name: string;
}

/** Keys that hosts of the plan have signed as theirs, checked here. */
export type HostKeys = ReadonlyMap<string, readonly KeyHost[]>;

/** A peer of an interface, and whose key it has. What it is called is nobody's word but the plan's. */
export interface PeerHosts {
  readonly label: string;
  readonly publicKey: string;
  readonly hosts: readonly KeyHost[];
}

export function findPeerHosts(operation: Operation, hostKeys: HostKeys): PeerHosts[] {
  if (operation.kind !== "network.wireguard") return [];
  return operation.peers.map(({ label, publicKey }) => ({ label, publicKey, hosts: hostKeys.get(publicKey) ?? [] }));
}

export function sayPeerHosts({ label, hosts }: PeerHosts): string {
  if (hosts.length === 0) return `Peer ${label} has a key that no host of this plan has signed.`;
  const whose = `Peer ${label} has the key of ${hosts.map(({ name, node }) => `${name}, ${node}`).join(", and of ")}`;
  return hosts.length === 1
    ? `${whose}, as that host signed.`
    : `${whose}, as they signed: one of them is a copy, or claims it.`;
}

/**
 * The only components a contribution can name (contract 2.4). The dashboard has one for each and for no other; a key that
 * is not here shows nothing and runs nothing.
 */
export const componentKeys = {
  "netguard.firewall": { kind: "nav", says: "Firewall zones and rules drawn up by netguard." },
  "wireguard.mesh": { kind: "nav", says: "WireGuard networks drawn up by wireguard." },
  "wireguard.lines": { kind: "enhancement", says: "Lines between nodes of a WireGuard network." },
} as const satisfies Record<string, { kind: "nav" | "enhancement"; says: string }>;

export type ComponentKey = keyof typeof componentKeys;

export function isComponentKey(key: string): key is ComponentKey {
  return Object.hasOwn(componentKeys, key);
}

/** Native surfaces that an active plugin may enhance (contract 3.2). */
export const surfaces = ["fleet.map"] as const;
export type Surface = (typeof surfaces)[number];

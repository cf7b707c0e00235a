/**
 * The only components a contribution can name (contract 2.4). The dashboard has one for each that is built and for no other; a
 * key that is not here shows nothing and runs nothing.
 *
 * `whose`: a page that speaks of one plugin is for the plugin it is named after, and for publishers that the trust policy calls
 * first-party: nobody else's plugin passes for it. What a trust policy says of ids decides who may have that name.
 */
export const componentKeys = {
  "netguard.firewall": {
    kind: "nav",
    whose: "netguard",
    isBuilt: true,
    says: "Firewall zones and rules drawn up by netguard.",
  },
  "plugin.page": {
    kind: "nav",
    whose: "anybody",
    isBuilt: true,
    says: "What any plugin says of itself, and its plans.",
  },
  "wireguard.mesh": {
    kind: "nav",
    whose: "wireguard",
    isBuilt: true,
    says: "WireGuard networks drawn up by wireguard.",
  },
  "wireguard.lines": {
    kind: "enhancement",
    whose: "first-party",
    isBuilt: true,
    says: "Lines between nodes of a WireGuard network.",
  },
} as const satisfies Record<string, ComponentSpec>;

export interface ComponentSpec {
  readonly kind: "nav" | "enhancement";
  /** `anybody`, `first-party`, or the id of a plugin. An enhancement of a native surface is first-party (contract 3.2). */
  readonly whose: string;
  /** Whether the dashboard can show it: not while the surface it belongs to does not exist. */
  readonly isBuilt: boolean;
  readonly says: string;
}

export type ComponentKey = keyof typeof componentKeys;

export function isComponentKey(key: string): key is ComponentKey {
  return Object.hasOwn(componentKeys, key);
}

/** Native surfaces that an active first-party plugin may enhance (contract 3.2). */
export const surfaces = ["fleet.map"] as const;
export type Surface = (typeof surfaces)[number];

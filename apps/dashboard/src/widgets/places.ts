import type { Scope } from "@gatehouse/contract";

/** A page of our own that the rail, the palette and the keys lead to. */
export interface Place {
  readonly to: PlacePath;
  readonly label: string;
  readonly group: PlaceGroup | null;
  /** Who does not hold it does not see the entry, and is told its name at the address. */
  readonly scope: Scope | null;
  /** The key after `g`. */
  readonly key: string | null;
}

export type PlaceGroup = "Plugins" | "Observe" | "Settings";
export type PlacePath =
  | "/"
  | "/plugins"
  | "/marketplace"
  | "/audit"
  | "/settings/security"
  | "/tokens"
  | "/users"
  | "/settings/about";

export const placeGroups: readonly PlaceGroup[] = ["Plugins", "Observe", "Settings"];

export const places: readonly Place[] = [
  { to: "/", label: "Overview", group: null, scope: null, key: "o" },
  { to: "/plugins", label: "Lifecycle", group: "Plugins", scope: "plugin:admin", key: "p" },
  { to: "/marketplace", label: "Marketplace", group: "Plugins", scope: null, key: "m" },
  { to: "/audit", label: "Audit", group: "Observe", scope: "audit:read", key: "a" },
  { to: "/settings/security", label: "Security", group: "Settings", scope: null, key: "s" },
  { to: "/tokens", label: "Tokens", group: "Settings", scope: null, key: "t" },
  { to: "/users", label: "Users", group: "Settings", scope: "user:admin", key: "u" },
  { to: "/settings/about", label: "About", group: "Settings", scope: null, key: null },
];

export function placesFor(scopes: readonly Scope[]): readonly Place[] {
  return places.filter(({ scope }) => scope === null || scopes.includes(scope));
}

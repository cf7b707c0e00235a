import { type ComponentKey, isComponentKey, type Surface } from "@gatehouse/contract";
import { type ComponentType, lazy } from "react";
import type { ContributionProps } from "./contribution-props.ts";

/**
 * All that a contribution can show (contract 3.2): components of this build, by the key in a signed manifest. A plugin
 * brings no code into the browser. The name of a surface: the page that is that surface draws it itself, among what is its own.
 * `null`: nothing here shows it yet.
 */
export const components: Readonly<Record<ComponentKey, ComponentType<ContributionProps> | Surface | null>> = {
  "netguard.firewall": lazy(async () => ({ default: (await import("./Firewall/Firewall.tsx")).Firewall })),
  "plugin.page": lazy(async () => ({ default: (await import("./AnyPlugin/AnyPlugin.tsx")).AnyPlugin })),
  "wireguard.mesh": lazy(async () => ({ default: (await import("./Mesh/Mesh.tsx")).Mesh })),
  "wireguard.lines": "fleet.map",
};

/** A contribution with a key that this build does not know shows nothing and runs nothing. */
export function hasComponent(key: string): key is ComponentKey {
  return isComponentKey(key) && components[key] !== null;
}

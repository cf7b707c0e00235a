import { type ComponentKey, isComponentKey } from "@gatehouse/contract";
import { type ComponentType, lazy } from "react";
import type { ContributionProps } from "./contribution-props.ts";

/**
 * All that a contribution can show (contract 3.2): components of this build, by the key in a signed manifest. A plugin
 * brings no code into the browser. `null`: nothing here shows it yet, since the surface it enhances is not there.
 */
export const components: Readonly<Record<ComponentKey, ComponentType<ContributionProps> | null>> = {
  "netguard.firewall": lazy(async () => ({ default: (await import("./Firewall/Firewall.tsx")).Firewall })),
  "plugin.page": lazy(async () => ({ default: (await import("./AnyPlugin/AnyPlugin.tsx")).AnyPlugin })),
  "wireguard.mesh": lazy(async () => ({ default: (await import("./Mesh/Mesh.tsx")).Mesh })),
  "wireguard.lines": null,
};

/** A contribution with a key that this build does not know shows nothing and runs nothing. */
export function hasComponent(key: string): key is ComponentKey {
  return isComponentKey(key) && components[key] !== null;
}

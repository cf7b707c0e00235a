import type { FleetDeps } from "./fleet-deps.ts";
import { fleetLimits } from "./limits.ts";

/** Gathers who came and went, and tells it together: ten thousand that come back are a few events, not ten thousand. */
export function openPresenceNews({ every, tellPresence }: Pick<FleetDeps, "every" | "tellPresence">) {
  const changed = new Set<string>();
  const stop = every(fleetLimits.presenceMs, () => {
    const nodes = [...changed];
    changed.clear();
    for (let from = 0; from < nodes.length; from += fleetLimits.presenceNodes) {
      tellPresence(nodes.slice(from, from + fleetLimits.presenceNodes));
    }
  });
  return { note: (nodeId: string) => void changed.add(nodeId), close: stop };
}

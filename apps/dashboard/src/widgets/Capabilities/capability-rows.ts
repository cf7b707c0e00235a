import { type Capability, capabilities } from "@gatehouse/contract";
import type { Plugin } from "@gatehouse/contract/routes";

export interface CapabilityRow {
  readonly name: Capability;
  readonly change: "added" | "removed" | null;
}

const rank = { host: 0, network: 1, fleet: 2, own: 3 } as const;

/** What is new first, then by how far it reaches, and what is gone last. */
export function capabilityRows(plugin: Pick<Plugin, "capabilities" | "change">): CapabilityRow[] {
  const added = new Set(plugin.change?.addedCapabilities);
  const now = plugin.capabilities.map(
    ({ name }): CapabilityRow => ({ name, change: added.has(name) ? "added" : null }),
  );
  const gone = (plugin.change?.removedCapabilities ?? []).map((name): CapabilityRow => ({ name, change: "removed" }));
  return [...now.sort(order), ...gone];
}

function order(a: CapabilityRow, b: CapabilityRow): number {
  const byChange = Number(b.change === "added") - Number(a.change === "added");
  if (byChange !== 0) return byChange;
  const byReach = rank[capabilities[a.name].risk] - rank[capabilities[b.name].risk];
  return byReach !== 0 ? byReach : a.name < b.name ? -1 : 1;
}

/** "2 added, 1 removed", or that nothing of it changed. */
export function changeWords({ addedCapabilities, removedCapabilities }: NonNullable<Plugin["change"]>): string {
  const parts = [
    addedCapabilities.length > 0 ? `${addedCapabilities.length} added` : "",
    removedCapabilities.length > 0 ? `${removedCapabilities.length} removed` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "no capability changed" : parts.join(", ");
}

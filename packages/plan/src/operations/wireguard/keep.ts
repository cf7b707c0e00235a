import { networksIn, writePrefix } from "../../addresses.ts";
import type { KeepEntry } from "../firewall/keep.ts";
import { reachOf } from "./interface-of.ts";
import { leadsAway } from "./tunnel-networks.ts";
import type { NetworkWireguard } from "./wireguard-interface.ts";

/** The first entry whose answers would go into the tunnel, with the network that leads them there. */
export function findKeepTaken(
  operation: NetworkWireguard,
  keep: readonly KeepEntry[],
): { readonly entry: KeepEntry; readonly network: string } | undefined {
  const reach = networksIn(...reachOf(operation));
  for (const entry of keep) {
    const network = reach.find((one) => leadsAway(one, entry.prefix));
    if (network !== undefined) return { entry, network: writePrefix(network) };
  }
  return undefined;
}

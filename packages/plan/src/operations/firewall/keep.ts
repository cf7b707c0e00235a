import { rangeOfPrefix } from "../../address-ranges.ts";
import { findNetwork, type Prefix } from "../../addresses.ts";
import type { FirewallApply } from "./firewall-table.ts";
import { type WalkedPacket, walkChain } from "./walk.ts";

/** What root of a host wants to stay reachable, whatever a plan says: `tcp/22:192.0.2.0/24`. */
export interface KeepEntry {
  readonly text: string;
  readonly protocol: "tcp" | "udp";
  readonly port: number;
  readonly prefix: Prefix;
}

/** Undefined for a text that is no entry. */
export function parseKeep(text: string): KeepEntry | undefined {
  const parts = /^(tcp|udp)\/([1-9][0-9]{0,4}):([0-9a-f.:]{2,43}\/[0-9]{1,3})$/.exec(text);
  const [, protocol, number = "", network = ""] = parts ?? [];
  const prefix = findNetwork(network);
  const port = Number(number);
  if ((protocol !== "tcp" && protocol !== "udp") || prefix === undefined || port > 65_535) return undefined;
  return { text, protocol, port, prefix };
}

/** What a person is told who wrote something else. */
export function findKeepFlaw(text: string): string | undefined {
  if (parseKeep(text) !== undefined) return undefined;
  return "must be PROTOCOL/PORT:NETWORK, such as tcp/22:192.0.2.0/24 or tcp/22:::/0";
}

/**
 * The first entry that the table would not let in wholly: a new connection, or what follows it. Where a rule may or may not match,
 * it is taken against the packet.
 */
export function findKeepLoss({ input }: FirewallApply, keep: readonly KeepEntry[]): KeepEntry | undefined {
  return keep.find(({ protocol, port, prefix }) => {
    const source = rangeOfPrefix(prefix);
    const walk = walkChain(input, prefix.family, [source]);
    return (["new", "established"] as const).some((state) => {
      const packet: WalkedPacket = { protocol, state, interface: "outside", ports: { from: port, to: port } };
      return walk(packet, "against")(source).lost.length > 0;
    });
  });
}

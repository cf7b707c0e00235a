import { type AddressRange, findHostAddress, mergeRanges, rangeOfPrefix } from "../../address-ranges.ts";
import { networksIn, type Prefix } from "../../addresses.ts";
import { type LintFinding, lintFinding } from "../../lint-finding.ts";
import type { Operation } from "../table.ts";
import { reachOf } from "./interface-of.ts";
import type { NetworkWireguard } from "./wireguard-interface.ts";

/** Of each operation, what is wrong with it because of the other interfaces of its section. */
export function lintSiblings(operations: readonly Operation[]): LintFinding[][] {
  const reaches = operations.flatMap((one) => (one.kind === "network.wireguard" ? [reachRanges(one)] : []));
  return operations.map((one) => {
    if (one.kind !== "network.wireguard") return [];
    const others = reaches.filter(({ name }) => name !== one.interface);
    return others.length === 0 ? [] : endpointFindings(one, others);
  });
}

interface ReachRanges {
  readonly name: string;
  readonly ranges: Readonly<Record<Prefix["family"], readonly AddressRange[]>>;
}

/** Merged, so that each endpoint of a large section is looked up and not held against every network. */
function reachRanges(operation: NetworkWireguard): ReachRanges {
  const all = networksIn(...reachOf(operation));
  const of = (wanted: Prefix["family"]) =>
    mergeRanges(all.filter(({ family }) => family === wanted).map(rangeOfPrefix));
  return { name: operation.interface, ranges: { 4: of(4), 6: of(6) } };
}

function endpointFindings({ peers }: NetworkWireguard, others: readonly ReachRanges[]): LintFinding[] {
  return peers.flatMap(({ label, endpoint }) => {
    const at = endpoint === undefined ? undefined : findHostAddress(endpoint.host);
    if (endpoint === undefined || at === undefined) return [];
    const { from: point } = rangeOfPrefix(at);
    const other = others.find(({ ranges }) => holds(ranges[at.family], point));
    if (other === undefined) return [];
    const says = `The endpoint of ${label}, ${endpoint.host}, lies in what ${other.name} leads to: its packets would go into that tunnel.`;
    return [lintFinding("wireguard.endpoint_inside", says)];
  });
}

/** In ranges that rise. */
function holds(ranges: readonly AddressRange[], point: bigint): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.to ?? point) < point) low = middle + 1;
    else high = middle;
  }
  const found = ranges[low];
  return found !== undefined && found.from <= point;
}

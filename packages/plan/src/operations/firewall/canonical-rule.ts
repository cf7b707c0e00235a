import { mergeRanges, networksOfRange, rangeOfPrefix } from "../../address-ranges.ts";
import { findNetwork } from "../../addresses.ts";
import type { FirewallApply, FirewallChain } from "./firewall-table.ts";
import type { FirewallRule } from "./rule.ts";

/** As many lines as before: each family of a rule's sources keeps one. */
export function canonicalTable({ forward, ...operation }: FirewallApply): FirewallApply {
  const canonical = ({ policy, rules }: FirewallChain) => ({ policy, rules: rules.map(canonicalRule) });
  return {
    ...operation,
    input: canonical(operation.input),
    ...(forward === undefined ? {} : { forward: canonical(forward) }),
  };
}

/** The same rule with its sets in one order and what touches made one: nft keeps a set so, however it was written. */
export function canonicalRule(rule: FirewallRule): FirewallRule {
  const { interfaces, sources, states, ports, types } = rule;
  return {
    ...rule,
    ...(interfaces === undefined ? {} : { interfaces: interfaces.toSorted() }),
    ...(sources === undefined ? {} : { sources: [...canonicalNetworks(sources, 4), ...canonicalNetworks(sources, 6)] }),
    ...(states === undefined ? {} : { states: states.toSorted() }),
    ...(ports === undefined ? {} : { ports: canonicalPorts(ports) }),
    ...(types === undefined ? {} : { types: types.toSorted() }),
  };
}

export function canonicalNetworks(texts: readonly string[], family: 4 | 6): string[] {
  const networks = texts.flatMap((text) => findNetwork(text) ?? []).filter((one) => one.family === family);
  return mergeRanges(networks.map(rangeOfPrefix)).flatMap((range) => networksOfRange(range, family));
}

export function canonicalPorts(ranges: readonly { readonly from: number; readonly to: number }[]) {
  const merged = mergeRanges(ranges.map(({ from, to }) => ({ from: BigInt(from), to: BigInt(to) })));
  return merged.map(({ from, to }) => ({ from: Number(from), to: Number(to) }));
}

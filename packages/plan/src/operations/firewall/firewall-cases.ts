import fc from "fast-check";
import { findNetwork, overlaps } from "../../addresses.ts";
import type { FirewallApply } from "./firewall-table.ts";
import { type FirewallRule, icmpTypes, icmpv6Types } from "./rule.ts";

/**
 * Random chains over a few addresses, ports and interfaces, so that rules meet, overlap and complete each other, and every packet
 * there is can be tried one by one.
 */
export const smallNetworks = [
  "0.0.0.0/0",
  "10.0.0.0/29",
  "10.0.0.0/30",
  "10.0.0.4/30",
  ...Array.from({ length: 4 }, (_, index) => `10.0.0.${index * 2}/31`),
  ...Array.from({ length: 8 }, (_, index) => `10.0.0.${index}/32`),
  "::/0",
  "fd00::/126",
  "fd00::/127",
  "fd00::2/127",
  ...Array.from({ length: 4 }, (_, index) => (index === 0 ? "fd00::/128" : `fd00::${index}/128`)),
] as const;

const someOf = <T>(all: readonly T[], most = all.length) =>
  fc.uniqueArray(fc.constantFrom(...all), { minLength: 1, maxLength: most });
const sources = (family: 4 | 6 | null) =>
  someOf(
    smallNetworks.filter((text) => family === null || findNetwork(text)?.family === family),
    6,
  ).map((texts) => texts.filter((text, index) => texts.slice(0, index).every((other) => !overlap(text, other))));
const ports = someOf([21, 22, 23, 24, 25], 4).map((all) =>
  all.toSorted((a, b) => a - b).map((from) => ({ from, to: from })),
);
const common = {
  label: fc.constantFrom("one", "two", "three", "four"),
  verdict: fc.constantFrom("accept" as const, "accept" as const, "drop" as const, "reject" as const),
  interfaces: someOf(["lo", "eth0", "wg0"], 2),
  states: someOf(["new", "established", "related", "invalid"] as const),
};
const requiredKeys = ["label", "verdict", "protocol"] as const;

export const smallRule: fc.Arbitrary<FirewallRule> = fc.oneof(
  fc.record({ ...common, sources: sources(null) }, { requiredKeys: ["label", "verdict"] }),
  fc.record(
    { ...common, sources: sources(null), protocol: fc.constantFrom("tcp" as const, "udp" as const), ports },
    {
      requiredKeys: [...requiredKeys],
    },
  ),
  fc.record(
    { ...common, sources: sources(4), protocol: fc.constant("icmp" as const), types: someOf(icmpTypes) },
    { requiredKeys: [...requiredKeys] },
  ),
  fc.record(
    { ...common, sources: sources(6), protocol: fc.constant("icmpv6" as const), types: someOf(icmpv6Types) },
    { requiredKeys: [...requiredKeys] },
  ),
);

export const smallChain: fc.Arbitrary<FirewallApply["input"]> = fc.record({
  policy: fc.constantFrom("accept" as const, "drop" as const),
  rules: fc.array(smallRule, { maxLength: 8 }),
});

function overlap(one: string, other: string): boolean {
  const [a, b] = [findNetwork(one), findNetwork(other)];
  return a !== undefined && b !== undefined && overlaps(a, b);
}

import { describe, expect, test } from "vitest";
import { firewallApply } from "./firewall-apply.ts";
import type { FirewallApply } from "./firewall-table.ts";
import { renderFirewall } from "./render.ts";
import { firewallRule } from "./rule.ts";

const rule = { label: "x", verdict: "accept" } as const;

describe("the text for nft", () => {
  test("replaces its own table at once and touches no other", () => {
    const operation: FirewallApply = {
      kind: "firewall.apply",
      table: "gatehouse_netguard",
      input: {
        policy: "drop",
        rules: [
          { ...rule, label: "answers", states: ["established", "related"] },
          {
            ...rule,
            label: "web",
            interfaces: ["eth0"],
            sources: ["10.0.0.0/8", "2001:db8::/32"],
            protocol: "tcp",
            ports: [
              { from: 80, to: 80 },
              { from: 8000, to: 8080 },
            ],
          },
          { ...rule, label: "pings", protocol: "icmp", types: ["echo-request"] },
          { ...rule, label: "all udp", verdict: "drop", protocol: "udp" },
          { ...rule, label: "all icmpv6", protocol: "icmpv6" },
        ],
      },
      forward: { policy: "accept", rules: [] },
    };
    expect(renderFirewall(operation)).toBe(`add table inet gatehouse_netguard
delete table inet gatehouse_netguard
table inet gatehouse_netguard {
  chain input {
    type filter hook input priority filter; policy drop;
    ct state { established, related } accept comment "answers"
    iifname { "eth0" } ip saddr { 10.0.0.0/8 } tcp dport { 80, 8000-8080 } accept comment "web"
    iifname { "eth0" } ip6 saddr { 2001:db8::/32 } tcp dport { 80, 8000-8080 } accept comment "web"
    icmp type { echo-request } accept comment "pings"
    meta l4proto udp drop comment "all udp"
    meta l4proto ipv6-icmp accept comment "all icmpv6"
  }
  chain forward {
    type filter hook forward priority filter; policy accept;
  }
}
`);
  });

  test("is not made from an operation that the schema does not know", () => {
    const bad: FirewallApply = { kind: "firewall.apply", table: "filter", input: { policy: "drop", rules: [] } };
    expect(() => renderFirewall(bad)).toThrow(/gatehouse_/);
  });
});

describe("rules", () => {
  test("say what nftables can hold and nothing that contradicts itself", () => {
    const good = [
      rule,
      { ...rule, protocol: "udp", ports: [{ from: 53, to: 53 }] },
      { ...rule, protocol: "icmp", types: ["echo-request"], sources: ["10.0.0.0/8"] },
    ];
    for (const one of good) expect(firewallRule.safeParse(one).success).toBe(true);
    const bad = [
      { ...rule, ports: [{ from: 1, to: 2 }] },
      { ...rule, protocol: "icmp", ports: [{ from: 1, to: 2 }] },
      { ...rule, protocol: "tcp", ports: [{ from: 2, to: 1 }] },
      {
        ...rule,
        protocol: "tcp",
        ports: [
          { from: 1, to: 5 },
          { from: 5, to: 6 },
        ],
      },
      { ...rule, protocol: "tcp", ports: [] },
      { ...rule, protocol: "tcp", types: ["echo-request"] },
      { ...rule, protocol: "icmp", types: ["packet-too-big"] },
      { ...rule, protocol: "icmp", sources: ["2001:db8::/32"] },
      { ...rule, protocol: "icmpv6", sources: ["10.0.0.0/8"] },
      { ...rule, sources: ["10.0.0.0/8", "10.0.0.0/9"] },
      { ...rule, interfaces: ["eth0", "eth0"] },
      { ...rule, raw: "accept" },
    ];
    for (const one of bad) expect(firewallRule.safeParse(one).success).toBe(false);
  });

  test("stand in a table of ours only", () => {
    const apply = (table: string) =>
      firewallApply.schema.safeParse({ kind: "firewall.apply", table, input: { policy: "drop", rules: [] } }).success;
    expect(apply("gatehouse_netguard")).toBe(true);
    for (const table of ["filter", "gatehouse_", "Gatehouse_x", "gatehouse_x y", "inet gatehouse_x", "gatehouse_0"]) {
      expect(apply(table)).toBe(false);
    }
  });
});

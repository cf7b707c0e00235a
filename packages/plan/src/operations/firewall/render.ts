import { findNetwork } from "../../addresses.ts";
import { type FirewallApply, type FirewallChain, firewallTable } from "./firewall-table.ts";
import type { FirewallRule } from "./rule.ts";

/**
 * The text that `nft -f` loads: one transaction that puts the table in place of what it was and touches no other table. The
 * operation is read by its schema once more, so nothing that a pattern has not let through can stand in the text.
 */
export function renderFirewall(operation: FirewallApply): string {
  const known = firewallTable.parse(operation);
  const { table } = known;
  // Adding makes sure that there is one to delete; all of it happens at once or not at all.
  const lines = [`add table inet ${table}`, `delete table inet ${table}`, ...renderTable(known)];
  return `${lines.join("\n")}\n`;
}

/** The table alone, line by line, for a reader: what is loaded comes from `renderFirewall`. */
export function renderTable({ table, input, forward }: FirewallApply): string[] {
  return [
    `table inet ${table} {`,
    ...renderChain("input", input),
    ...(forward === undefined ? [] : renderChain("forward", forward)),
    "}",
  ];
}

function renderChain(hook: "input" | "forward", { policy, rules }: FirewallChain): string[] {
  return [
    `  chain ${hook} {`,
    `    type filter hook ${hook} priority filter; policy ${policy};`,
    ...rules.flatMap(renderRule).map((line) => `    ${line}`),
    "  }",
  ];
}

/** Two lines where a rule has sources of both families: nftables asks for one family at a time. */
function renderRule(rule: FirewallRule): string[] {
  const sources = rule.sources;
  if (sources === undefined) return [renderLine(rule, "")];
  const inet4 = sources.filter((text) => findNetwork(text)?.family === 4);
  const inet6 = sources.filter((text) => findNetwork(text)?.family === 6);
  return [
    ...(inet4.length === 0 ? [] : [renderLine(rule, `ip saddr ${renderSet(inet4)}`)]),
    ...(inet6.length === 0 ? [] : [renderLine(rule, `ip6 saddr ${renderSet(inet6)}`)]),
  ];
}

function renderLine(rule: FirewallRule, source: string): string {
  const { interfaces, states, protocol, ports, types, verdict, label } = rule;
  const parts = [
    interfaces === undefined ? "" : `iifname ${renderSet(interfaces.map((name) => `"${name}"`))}`,
    source,
    states === undefined ? "" : `ct state ${renderSet(states)}`,
    renderProtocol(protocol, ports, types),
    verdict,
    `comment "${label}"`,
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function renderProtocol(
  protocol: FirewallRule["protocol"],
  ports: FirewallRule["ports"],
  types: FirewallRule["types"],
): string {
  if (protocol === undefined) return "";
  if (ports !== undefined) return `${protocol} dport ${renderSet(ports.map(renderPorts))}`;
  if (types !== undefined) return `${protocol} type ${renderSet(types)}`;
  return `meta l4proto ${protocol === "icmpv6" ? "ipv6-icmp" : protocol}`;
}

export function renderPorts({ from, to }: { readonly from: number; readonly to: number }): string {
  return from === to ? `${from}` : `${from}-${to}`;
}

export function renderSet(items: readonly string[]): string {
  return `{ ${items.join(", ")} }`;
}

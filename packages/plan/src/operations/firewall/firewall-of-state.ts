import { findNetwork } from "../../addresses.ts";
import type { FirewallState } from "../../states.ts";
import { canonicalTable } from "./canonical-rule.ts";
import { type FirewallApply, firewallTable } from "./firewall-table.ts";
import { renderNftTable } from "./nft-table.ts";
import { renderTable } from "./render.ts";
import type { FirewallRule } from "./rule.ts";

/**
 * The operation that gives a host the table that it told, whatever order nft keeps its sets in. Undefined for a table that no
 * operation can hold: what was read is rendered again, and where one line is another nothing is given.
 */
export function findFirewallOf(table: string, state: FirewallState): FirewallApply | undefined {
  const lines = renderNftTable(state);
  const chains = Object.fromEntries(chainsOf(lines));
  const read = firewallTable.safeParse({ kind: "firewall.apply", table, ...chains }).data;
  if (read === undefined) return undefined;
  const again = renderTable(canonicalTable(read));
  return again.length === lines.length && again.every((line, at) => line === lines[at]) ? read : undefined;
}

function chainsOf(lines: readonly string[]): [name: string, chain: object][] {
  return lines.flatMap((line, at): [string, object][] => {
    const name = /^ {2}chain ([a-z]+) \{$/.exec(line)?.[1];
    if (name === undefined) return [];
    const policy = / policy ([a-z]+);$/.exec(lines[at + 1] ?? "")?.[1];
    const end = lines.indexOf("  }", at);
    return [[name, { policy, rules: joinFamilies(lines.slice(at + 2, end).map(readRule)) }]];
  });
}

/** Every part that our renderer writes, in its order: each begins where the one before it ends. */
const ruleParts = [
  /^ {4}(?:iifname \{ (?<interfaces>[^{}]+) \} )?/,
  /^(?:ip6? saddr \{ (?<sources>[^{}]+) \} )?/,
  /^(?:ct state \{ (?<states>[^{}]+) \} )?/,
  /^(?:meta l4proto (?<all>tcp|udp|icmp|ipv6-icmp) )?/,
  /^(?:(?<withPorts>tcp|udp) dport \{ (?<ports>[^{}]+) \} )?/,
  /^(?:(?<withTypes>icmp|icmpv6) type \{ (?<types>[^{}]+) \} )?/,
  /^(?<verdict>accept|drop|reject) comment "(?<label>[^"]*)"$/,
];

function partsOf(line: string): Readonly<Record<string, string | undefined>> {
  let rest = line;
  return Object.assign(
    {},
    ...ruleParts.map((part) => {
      const found = part.exec(rest);
      rest = rest.slice(found?.[0].length ?? 0);
      return found?.groups;
    }),
  );
}

/** A line that says anything else gives a rule that says less, which the comparison finds. */
function readRule(line: string): Partial<FirewallRule> {
  const { all, withPorts, withTypes, interfaces, sources, states, ports, types, verdict, label } = partsOf(line);
  const protocol = all === "ipv6-icmp" ? "icmpv6" : (all ?? withPorts ?? withTypes);
  const items = (text: string) => text.split(", ");
  const said = {
    label,
    verdict,
    ...(interfaces === undefined ? {} : { interfaces: items(interfaces).map((name) => name.slice(1, -1)) }),
    ...(sources === undefined ? {} : { sources: items(sources) }),
    ...(states === undefined ? {} : { states: items(states) }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(ports === undefined ? {} : { ports: items(ports).map(readPorts) }),
    ...(types === undefined ? {} : { types: items(types) }),
  };
  // The schema judges all of it afterwards.
  return said as Partial<FirewallRule>;
}

function readPorts(text: string): { readonly from: number; readonly to: number } {
  const [from = "", to = from] = text.split("-");
  return { from: Number(from), to: Number(to) };
}

/** A rule with sources of both families is two lines of nft: one rule again, or a table of many would have too many. */
function joinFamilies(rules: readonly Partial<FirewallRule>[]): Partial<FirewallRule>[] {
  const joined: Partial<FirewallRule>[] = [];
  for (const rule of rules) {
    const last = joined.at(-1);
    const isSecond = familyOf(last) === 4 && familyOf(rule) === 6 && restOf(last) === restOf(rule);
    if (isSecond) joined.splice(-1, 1, { ...last, sources: [...(last?.sources ?? []), ...(rule.sources ?? [])] });
    else joined.push(rule);
  }
  return joined;
}

/** The family of a rule's last source. */
function familyOf(rule: Partial<FirewallRule> | undefined): 4 | 6 | undefined {
  return findNetwork(rule?.sources?.at(-1) ?? "")?.family;
}

function restOf(rule: Partial<FirewallRule> | undefined): string {
  return JSON.stringify({ ...rule, sources: undefined });
}

import type { FirewallApply, FirewallRule, PlanDraft } from "@gatehouse/plan";
import { refuse } from "@gatehouse/plugin-sdk";
import { baseRules } from "./base-rules.ts";
import type { NetguardInput, NetguardNode } from "./input.ts";

/** The one table that netguard owns. */
export const table = "gatehouse_netguard";

/**
 * A plan that gives each node its table: the ground rules, SSH and the control server first, then what the node allows, and
 * nothing else comes in. What goes out is not touched, so agents reach their server. The order of names in the input does not
 * change the plan.
 */
export function planFirewall(input: NetguardInput): PlanDraft {
  const sections = input.nodes.map((node) => ({
    node: node.id,
    preconditions: [{ subject: `firewall:${table}`, state: node.state }],
    operations: [firewallOf(input, node)],
  }));
  const opened = new Set(input.nodes.flatMap(({ allow }) => allow.map(({ service }) => service))).size;
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  return {
    title: `Firewall for ${count(sections.length, "node")}`,
    summary: `Opens ${count(opened, "service")} beside SSH and the control path, and drops whatever else comes in.`,
    sections,
  };
}

function firewallOf(input: NetguardInput, node: NetguardNode): FirewallApply {
  const kept = [
    ...rulesFor(input, node, { name: "ssh", protocol: "tcp", ports: single(node.ssh.ports) }, node.ssh.from ?? ["any"]),
    ...(node.control === undefined
      ? []
      : rulesFor(input, node, { name: "control", protocol: "tcp", ports: single(node.control.ports) }, ["any"])),
  ];
  const allowed = node.allow.flatMap(({ service: name, from }) => {
    const service = findOwn(input.services, name);
    if (service === undefined) return refuse(`nodes: ${node.id} allows the service ${name}, which is not defined`);
    return rulesFor(input, node, { name, protocol: service.protocol, ports: merged(service.ports) }, from);
  });
  // Each only accepts, so their order means nothing; sorted, it is the same however it was written down.
  const byLabel = new Map(allowed.map((rule) => [rule.label, rule]));
  const rules = [...byLabel.values()].toSorted((a, b) => (a.label < b.label ? -1 : 1));
  return { kind: "firewall.apply", table, input: { policy: "drop", rules: [...baseRules, ...kept, ...rules] } };
}

interface Opened {
  readonly name: string;
  readonly protocol: "tcp" | "udp";
  readonly ports: { from: number; to: number }[];
}

/** One rule for each zone. A zone that is not defined would open nothing, or everything: it is refused. */
function rulesFor(input: NetguardInput, node: NetguardNode, opened: Opened, from: readonly string[]): FirewallRule[] {
  const { name, protocol, ports } = opened;
  return [...new Set(from)].toSorted().map((zoneName) => {
    const label = `${name} from ${zoneName}`;
    const rule: FirewallRule = { label, verdict: "accept", states: ["new"], protocol, ports };
    if (zoneName === "any") return rule;
    const zone = findOwn(input.zones, zoneName);
    if (zone === undefined) return refuse(`nodes: ${node.id} names the zone ${zoneName}, which is not defined`);
    return {
      ...rule,
      ...(zone.sources === undefined ? {} : { sources: zone.sources.toSorted() }),
      ...(zone.interfaces === undefined ? {} : { interfaces: [...new Set(zone.interfaces)].toSorted() }),
    };
  });
}

function single(ports: readonly number[]): { from: number; to: number }[] {
  return merged(ports.map((port) => ({ from: port, to: port })));
}

/** In rising order, with what overlaps or touches made one. */
function merged(ranges: readonly { readonly from: number; readonly to: number }[]): { from: number; to: number }[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** A name of the input is never looked up in a prototype. */
function findOwn<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

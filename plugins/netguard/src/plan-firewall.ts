import { type FirewallApply, type FirewallRule, type PlanDraft, planLimits } from "@gatehouse/plan";
import { type PlanNode, type PlanQuestion, refuse } from "@gatehouse/plugin-sdk";
import { baseRules } from "./base-rules.ts";
import type { NetguardInput } from "./input.ts";

/** The one table that netguard owns. */
export const table = "gatehouse_netguard";

/**
 * A plan that gives each node of the question its table: the ground rules, SSH and the control server first, then what is allowed
 * there, and nothing else comes in. What goes out is not touched, so agents reach their server. The order of names in the input
 * does not change the plan, and neither do the states that the nodes were found in.
 */
export function planFirewall({ input, nodes }: PlanQuestion<NetguardInput>): PlanDraft {
  if (nodes.length === 0) refuse("nodes: must be at least one: a firewall is drawn up for the nodes that are named");
  if (nodes.length > planLimits.sections) refuse(`nodes: must be at most ${planLimits.sections} in one plan`);
  const opened = openedBy(input);
  const isThere = ({ tags }: Opened) => nodes.some((node) => holdsFor(tags, node));
  const services = new Set(opened.allowed.filter(isThere).map(({ service }) => service)).size;
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  return {
    title: `Firewall for ${count(nodes.length, "node")}`,
    summary: `Opens ${count(services, "service")} beside SSH and the control path, and drops whatever else comes in.`,
    sections: nodes.map((node) => ({ node: node.id, operations: [firewallOf(opened, node)] })),
  };
}

/** Rules that hold for every node, or for those that have one of the tags. */
interface Opened {
  readonly service: string;
  readonly tags: readonly string[] | undefined;
  readonly rules: readonly FirewallRule[];
}

interface AllOpened {
  /** SSH and the control server, before everything that somebody allows. */
  readonly kept: readonly Opened[];
  readonly allowed: readonly Opened[];
}

/** Every name of the input is looked up, also where no node of this plan has the tag. */
function openedBy({ zones, services, ssh, allow, control }: NetguardInput): AllOpened {
  const open = (at: string, offer: Offer, from: readonly string[], tags: Opened["tags"]): Opened => ({
    service: offer.name,
    tags,
    rules: rulesFor(zones, at, offer, from),
  });
  const kept = [
    open("ssh", { name: "ssh", protocol: "tcp", ports: single(ssh.ports) }, ssh.from ?? ["any"], undefined),
  ];
  if (control !== undefined) {
    const offer = { name: "control", protocol: "tcp", ports: single(control.ports) } as const;
    kept.push(open("control", offer, ["any"], control.tags));
  }
  const allowed = allow.map(({ service: name, from, tags }, index) => {
    const service = findOwn(services, name);
    if (service === undefined) return refuse(`allow.${index}: names the service ${name}, which is not defined`);
    return open(`allow.${index}`, { name, protocol: service.protocol, ports: merged(service.ports) }, from, tags);
  });
  return { kept, allowed };
}

function firewallOf({ kept, allowed }: AllOpened, node: PlanNode): FirewallApply {
  const here = (all: readonly Opened[]) => all.flatMap(({ tags, rules }) => (holdsFor(tags, node) ? rules : []));
  // Each only accepts, so their order means nothing; sorted, it is the same however it was written down.
  const byLabel = new Map(here(allowed).map((rule) => [rule.label, rule]));
  const rules = [...byLabel.values()].toSorted((a, b) => (a.label < b.label ? -1 : 1));
  return { kind: "firewall.apply", table, input: { policy: "drop", rules: [...baseRules, ...here(kept), ...rules] } };
}

function holdsFor(tags: Opened["tags"], node: PlanNode): boolean {
  return tags === undefined || tags.some((tag) => node.tags.includes(tag));
}

interface Offer {
  readonly name: string;
  readonly protocol: "tcp" | "udp";
  readonly ports: { from: number; to: number }[];
}

/** One rule for each zone. A zone that is not defined would open nothing, or everything: it is refused. */
function rulesFor(
  zones: NetguardInput["zones"],
  at: string,
  { name, protocol, ports }: Offer,
  from: readonly string[],
): FirewallRule[] {
  return [...new Set(from)].toSorted().map((zoneName) => {
    const label = `${name} from ${zoneName}`;
    const rule: FirewallRule = { label, verdict: "accept", states: ["new"], protocol, ports };
    if (zoneName === "any") return rule;
    const zone = findOwn(zones, zoneName);
    if (zone === undefined) return refuse(`${at}: names the zone ${zoneName}, which is not defined`);
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

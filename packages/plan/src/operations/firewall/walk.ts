import { type AddressRange, rangeOfPrefix } from "../../address-ranges.ts";
import { findNetwork } from "../../addresses.ts";
import type { LintPacket } from "../../lint-finding.ts";
import type { FirewallChain } from "./firewall-table.ts";
import type { FirewallRule } from "./rule.ts";

/** A packet from somewhere in a network, to somewhere in a range of ports. */
export interface WalkedPacket extends Pick<LintPacket, "protocol" | "type" | "state" | "interface"> {
  readonly ports: { readonly from: number; readonly to: number } | null;
}

/** What becomes of a network's packets. */
export interface WalkedSource {
  /** Some of them are accepted. */
  readonly accepted: boolean;
  /** What decides against the others: a rule, or null for the chain's policy, each with the first addresses that it hits. */
  readonly lost: readonly { readonly rule: FirewallRule | null; readonly part: AddressRange }[];
}

/**
 * Walks a chain for packets of one family. Exact in the source: the address space is cut at every end of a network that a rule
 * or a source has, and each piece gets the first rule that decides about it, so that several rules may cover a network together.
 * Where a rule may or may not match, by its interface or because it is for some of the ports, `doubt` says how to take it:
 * against the packet, or for it. The cost grows with the number of networks, not with its square.
 */
export function walkChain({ policy, rules }: FirewallChain, family: 4 | 6, sources: readonly AddressRange[]) {
  const all: AddressRange = { from: 0n, to: (1n << (family === 4 ? 32n : 128n)) - 1n };
  const ranged = rules.map((rule) => rangesOf(rule, family) ?? [all]);
  const every = [all, ...sources, ...ranged.flat()];
  const edges = [...new Set(every.flatMap(({ from, to }) => [from, to + 1n]))].toSorted((a, b) => (a < b ? -1 : 1));
  const places = new Map(edges.map((edge, index) => [edge, index]));
  const placeOf = (edge: bigint) => places.get(edge) ?? 0;
  const pieces = edges.length - 1;
  const spans = ranged.map((ranges) => ranges.map(({ from, to }) => ({ start: placeOf(from), end: placeOf(to + 1n) })));

  return (packet: WalkedPacket, doubt: "against" | "for") => {
    // Which rule has each piece; the number of rules stands for the policy.
    const owner = new Int32Array(pieces).fill(rules.length);
    const nextFree = new Int32Array(pieces + 1).map((_, index) => index);
    for (const [index, rule] of rules.entries()) {
      const match = matchOf(rule, packet);
      if (match === "no" || (match === "some" && (rule.verdict === "accept") !== (doubt === "for"))) continue;
      for (const { start, end } of spans[index] ?? []) {
        for (let piece = findFree(nextFree, start); piece < end; piece = findFree(nextFree, piece)) {
          owner[piece] = index;
          nextFree[piece] = piece + 1;
        }
      }
    }
    const accepts = (index: number) => (rules[index]?.verdict ?? policy) === "accept";

    /** `source` is one of those that were given. */
    return (source: AddressRange): WalkedSource => {
      const end = placeOf(source.to + 1n);
      const lost = new Map<number, AddressRange>();
      let accepted = false;
      for (let piece = placeOf(source.from); piece < end; piece += 1) {
        const index = owner[piece] ?? rules.length;
        if (accepts(index)) accepted = true;
        else if (!lost.has(index)) {
          let last = piece;
          while (last + 1 < end && owner[last + 1] === index) last += 1;
          lost.set(index, { from: edges[piece] ?? 0n, to: (edges[last + 1] ?? 0n) - 1n });
        }
      }
      return { accepted, lost: [...lost].map(([index, part]) => ({ rule: rules[index] ?? null, part })) };
    };
  };
}

/** Whether a rule is for all, some or none of these packets, its sources aside. */
export function matchOf(rule: FirewallRule, packet: WalkedPacket): "all" | "some" | "no" {
  const { protocol, states, types, ports, interfaces } = rule;
  if (protocol !== undefined && protocol !== packet.protocol) return "no";
  if (states !== undefined && !states.some((state) => state === packet.state)) return "no";
  if (types !== undefined && !types.some((type) => type === packet.type)) return "no";
  const matches = [matchPorts(ports, packet.ports), matchInterfaces(interfaces, packet.interface)];
  return matches.includes("no") ? "no" : matches.includes("some") ? "some" : "all";
}

function matchPorts(ports: FirewallRule["ports"], asked: WalkedPacket["ports"]): "all" | "some" | "no" {
  if (ports === undefined) return "all";
  if (asked === null) return "no";
  // In rising order: whatever touches goes on.
  let next = asked.from;
  for (const { from, to } of ports) if (from <= next && to >= next) next = to + 1;
  if (next > asked.to) return "all";
  return ports.some(({ from, to }) => from <= asked.to && to >= asked.from) ? "some" : "no";
}

function matchInterfaces(names: FirewallRule["interfaces"], asked: "lo" | "outside"): "all" | "some" | "no" {
  if (names === undefined) return "all";
  if (asked === "lo") return names.includes("lo") ? "all" : "no";
  return names.every((name) => name === "lo") ? "no" : "some";
}

/** Undefined: of every address. */
export function rangesOf({ sources }: FirewallRule, family: 4 | 6): AddressRange[] | undefined {
  return sources?.flatMap((text) => {
    const network = findNetwork(text);
    return network?.family === family ? [rangeOfPrefix(network)] : [];
  });
}

function findFree(nextFree: Int32Array, piece: number): number {
  let free = piece;
  for (let next = nextFree[free] ?? free; next !== free; next = nextFree[free] ?? free) free = next;
  // What was passed points there at once from now on.
  for (let at = piece; at !== free; ) {
    const next = nextFree[at] ?? free;
    nextFree[at] = free;
    at = next;
  }
  return free;
}

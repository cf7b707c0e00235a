import { type AddressRange, rangeOfPrefix } from "../../address-ranges.ts";
import { findNetwork } from "../../addresses.ts";
import type { LintAround, LintCode } from "../../lint-finding.ts";
import type { WalkedPacket } from "./walk.ts";

export interface NamedSource {
  readonly text: string;
  readonly family: 4 | 6;
  readonly range: AddressRange;
}

/** Packets that must come in, and what it is called when they do not. */
export interface FirewallQuestion {
  readonly code: LintCode;
  /** When only networks that a rule names are shut out. Null: that is no better. */
  readonly partly: LintCode | null;
  readonly family: 4 | 6;
  readonly packet: WalkedPacket;
  readonly sources: readonly NamedSource[];
}

/** From where Linux opens connections unless it was told otherwise. */
const ownPorts = { from: 32_768, to: 60_999 };
const everyPort = { from: 1, to: 65_535 };
const anywhere = { 4: named("0.0.0.0/0"), 6: named("::/0") } as const;
const loopback = { 4: named("127.0.0.0/8"), 6: named("::1/128") } as const;

export function questionsOf(around: LintAround, sshSources: readonly NamedSource[]): FirewallQuestion[] {
  const sshPorts = [...new Set(around.ssh?.ports ?? [])];
  const controlPorts = [...new Set(around.controlPorts)];
  return ([4, 6] as const).flatMap((family) => [
    ...(["tcp", "udp"] as const).map(
      (protocol): FirewallQuestion => ({
        code: "firewall.answers_cut",
        partly: "firewall.answers_partly",
        family,
        packet: { protocol, state: "established", interface: "outside", ports: ownPorts },
        sources: [anywhere[family]],
      }),
    ),
    ...sshPorts.flatMap((port) =>
      connection(port).map((packet): FirewallQuestion => {
        const sources = sshSources.filter((source) => source.family === family);
        return { code: "firewall.ssh_cut", partly: null, family, packet, sources };
      }),
    ),
    ...controlPorts.flatMap((port) =>
      connection(port).map((packet): FirewallQuestion => {
        const sources = [anywhere[family]];
        return { code: "firewall.control_cut", partly: "firewall.control_partly", family, packet, sources };
      }),
    ),
    ...(["tcp", "udp"] as const).map(
      (protocol): FirewallQuestion => ({
        code: "firewall.loopback_cut",
        partly: null,
        family,
        packet: { protocol, state: "new", interface: "lo", ports: everyPort },
        sources: [loopback[family]],
      }),
    ),
    ...(family === 4 ? [] : neighbours),
  ]);
}

/** A connection is of use when it opens, and when what comes after the first packet is let in too. */
function connection(port: number): WalkedPacket[] {
  return (["new", "established"] as const).map((state) => ({
    protocol: "tcp",
    state,
    interface: "outside",
    ports: { from: port, to: port },
  }));
}

/** No connection tracking sees them, so that a rule for answers does not let them in. */
const neighbours = (["nd-neighbor-solicit", "nd-neighbor-advert"] as const).map(
  (type): FirewallQuestion => ({
    code: "firewall.neighbours_cut",
    partly: null,
    family: 6,
    packet: { protocol: "icmpv6", type, state: "untracked", interface: "outside", ports: null },
    sources: [named("fe80::/10")],
  }),
);

function named(text: string): NamedSource {
  const prefix = findNetwork(text);
  if (prefix === undefined) throw new RangeError(`${text} is no network`);
  return { text, family: prefix.family, range: rangeOfPrefix(prefix) };
}

import { findHostAddress } from "../../address-ranges.ts";
import { networksIn, overlaps, writePrefix } from "../../addresses.ts";
import { type LintAround, type LintFinding, lintFinding } from "../../lint-finding.ts";
import { countOf } from "../../say.ts";
import { reachOf, type WireguardLink } from "./interface-of.ts";
import { lintWaysIn } from "./lint-ways-in.ts";
import { isPrivate } from "./tunnel-networks.ts";
import type { NetworkWireguard } from "./wireguard-interface.ts";

/** What is wrong with an interface, or to be read before it is approved. */
export function lintWireguard(operation: NetworkWireguard, around: LintAround): LintFinding[] {
  return [
    ...keyFindings(operation, around),
    ...selfFindings(operation, around),
    ...peerFindings(operation, around),
    ...endpointFindings(operation),
    ...reachFindings(operation),
    ...lintWaysIn(operation, around),
  ];
}

function keyFindings({ interface: name, publicKey }: NetworkWireguard, { wireguard }: LintAround): LintFinding[] {
  const told = wireguard?.[name];
  if (told === undefined) return [];
  const foreign = told.interface === null ? undefined : findForeign(told.interface, told.publicKey);
  const isWrong = publicKey !== null && publicKey !== told.publicKey;
  return [
    ...(foreign === undefined
      ? []
      : [
          lintFinding(
            "wireguard.foreign",
            `${name} has ${foreign}: somebody else made it, and the host will refuse to change it.`,
          ),
        ]),
    ...(isWrong
      ? [
          lintFinding(
            "wireguard.key",
            `The plan expects the key ${publicKey}, and the host has ${told.publicKey}: it will refuse this change.`,
          ),
        ]
      : []),
  ];
}

/** What shows that somebody else made the interface; nothing where it is Gatehouse's own. */
function findForeign({ publicKey, peers }: WireguardLink, kept: string): string | undefined {
  if (publicKey === null) return "no key";
  if (publicKey !== kept) return "a key that is not Gatehouse's";
  return peers.some(({ hasPresharedKey }) => hasPresharedKey) ? "a preshared key, which no plan sets" : undefined;
}

function selfFindings({ interface: name, publicKey, peers }: NetworkWireguard, around: LintAround): LintFinding[] {
  const own = new Set([publicKey, around.wireguard?.[name]?.publicKey]);
  return peers
    .filter((peer) => own.has(peer.publicKey))
    .map(({ label, publicKey: key }) =>
      lintFinding(
        "wireguard.peer_self",
        `The peer ${label} has the key of the host itself (${key}): WireGuard leaves it out.`,
      ),
    );
}

/** What a server in other hands would try: to let a machine of its own in. */
function peerFindings({ peers }: NetworkWireguard, { hostKeys }: LintAround): LintFinding[] {
  if (hostKeys === undefined) return [];
  const known = new Set(hostKeys);
  return peers
    .filter(({ publicKey }) => !known.has(publicKey))
    .map(({ label, publicKey }) =>
      lintFinding(
        "wireguard.peer_unknown",
        `No host of this plan has signed the key of the peer ${label} (${publicKey}): whoever has it is let in.`,
      ),
    );
}

/** Packets to an endpoint that lies in the tunnel would go into the tunnel. */
function endpointFindings(operation: NetworkWireguard): LintFinding[] {
  const reach = networksIn(...reachOf(operation));
  return operation.peers.flatMap(({ label, endpoint }) => {
    const at = endpoint === undefined ? undefined : findHostAddress(endpoint.host);
    if (endpoint === undefined || at === undefined || !reach.some((one) => overlaps(one, at))) return [];
    const says = `The endpoint of ${label}, ${endpoint.host}, lies in what ${operation.interface} leads to: no packet would reach it.`;
    return [lintFinding("wireguard.endpoint_inside", says)];
  });
}

/** What hosts will refuse that keep something open from everywhere. What a host keeps, its root alone knows. */
function reachFindings(operation: NetworkWireguard): LintFinding[] {
  const [first, ...others] = networksIn(...reachOf(operation)).filter((one) => !isPrivate(one));
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : `, and to ${countOf(others.length, "other network")} like it`;
  const what = `${operation.interface} leads to ${writePrefix(first)}, which is not private${more}`;
  const why = "a host that keeps a way in open from everywhere, as all do unless their root says otherwise,";
  return [lintFinding("wireguard.reach_public", `${what}: ${why} will refuse it.`)];
}

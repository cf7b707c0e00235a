import { findHostAddress } from "../../address-ranges.ts";
import { findNetwork, overlaps } from "../../addresses.ts";
import { type LintAround, type LintFinding, lintFinding } from "../../lint-finding.ts";
import { reachOf } from "./interface-of.ts";
import type { NetworkWireguard } from "./wireguard-interface.ts";

/** What is wrong with an interface, or to be read before it is approved. */
export function lintWireguard(operation: NetworkWireguard, around: LintAround): LintFinding[] {
  return [
    ...keyFindings(operation, around),
    ...peerFindings(operation, around),
    ...endpointFindings(operation),
    ...sshFindings(operation, around),
  ];
}

function keyFindings({ interface: name, publicKey }: NetworkWireguard, { wireguard }: LintAround): LintFinding[] {
  const told = wireguard?.[name];
  if (told === undefined) return [];
  const isOther = told.interface !== null && told.interface.publicKey !== told.publicKey;
  const isWrong = publicKey !== null && publicKey !== told.publicKey;
  return [
    ...(isOther
      ? [
          lintFinding(
            "wireguard.foreign",
            `${name} has a key that is not Gatehouse's: somebody else made it, and the host will refuse to change it.`,
          ),
        ]
      : []),
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
  const reach = reachOf(operation).flatMap((text) => findNetwork(text) ?? []);
  return operation.peers.flatMap(({ label, endpoint }) => {
    const at = endpoint === undefined ? undefined : findHostAddress(endpoint.host);
    if (endpoint === undefined || at === undefined || !reach.some((one) => overlaps(one, at))) return [];
    const says = `The endpoint of ${label}, ${endpoint.host}, lies in what ${operation.interface} leads to: no packet would reach it.`;
    return [lintFinding("wireguard.endpoint_inside", says)];
  });
}

/** Answers to somebody who is connected now would go into the tunnel. What the interface leads to already changes for nobody. */
function sshFindings(operation: NetworkWireguard, { ssh, wireguard }: LintAround): LintFinding[] {
  const now = wireguard?.[operation.interface]?.interface;
  const before = new Set(
    now?.isUp === true ? [...reachOf({ addresses: now.addresses, peers: [] }), ...now.routes] : [],
  );
  const fresh = reachOf(operation).filter((text) => !before.has(text));
  return fresh.flatMap((text) => {
    const network = findNetwork(text);
    const inside = (ssh?.peers ?? []).filter((peer) => {
      const at = findHostAddress(peer);
      return network !== undefined && at !== undefined && overlaps(network, at);
    });
    return inside.map((peer) =>
      lintFinding(
        "wireguard.ssh_cut",
        `${peer} is connected over SSH now, and answers to ${text} would go into ${operation.interface}.`,
      ),
    );
  });
}

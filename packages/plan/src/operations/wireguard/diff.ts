import { diffLines, type KeyedLine, type PlanDiffLine } from "../../diff-lines.ts";
import type { WireguardState } from "../../states.ts";
import { interfaceLinkOf, type WireguardLink } from "./interface-of.ts";
import type { NetworkWireguard } from "./wireguard-interface.ts";

/**
 * The interface as it will be, beside the one that the host has. Where a peer is found moves by itself and is in no state: each
 * endpoint that a plan names is shown as set anew.
 */
export function diffWireguard(operation: NetworkWireguard, before: WireguardState | null | undefined): PlanDiffLine[] {
  const known = operation.publicKey ?? before?.publicKey ?? null;
  const peers = new Map(operation.peers.map((peer) => [peer.publicKey, peer]));
  const after = linkLines(interfaceLinkOf(operation, known ?? "of the host"), (key) => {
    const { label = "", endpoint } = peers.get(key) ?? {};
    const at = endpoint === undefined ? [] : [`  endpoint ${endpoint.host} port ${endpoint.port}`];
    return { label, more: at };
  });
  const old = before?.interface ?? null;
  const lines = old === null ? [] : linkLines(old, () => ({ label: "", more: [] }));
  return diffLines(lines, after);
}

interface ShownPeer {
  readonly label: string;
  readonly more: readonly string[];
}

function linkLines(link: WireguardLink, showPeer: (publicKey: string) => ShownPeer): KeyedLine[] {
  const { publicKey, listenPort, mtu, firewallMark, isUp, addresses, routes, peers } = link;
  const head = [
    `key ${publicKey ?? "none"}`,
    `listens on udp ${listenPort}, mtu ${mtu}${firewallMark === 0 ? "" : `, mark ${firewallMark}`}${isUp ? "" : ", down"}`,
    ...addresses.map((text) => `address ${text}`),
    ...routes.map((text) => `route ${text}`),
  ];
  const below = peers.flatMap((peer): KeyedLine[] => {
    const { label, more } = showPeer(peer.publicKey);
    const name = `peer ${peer.publicKey}`;
    const inside = [
      ...peer.allowedIps.map((text) => `  allowed ${text}`),
      ...(peer.keepaliveSeconds === 0 ? [] : [`  keepalive every ${peer.keepaliveSeconds} s`]),
      ...(peer.hasPresharedKey ? ["  with a preshared key"] : []),
    ];
    // A label is in plans alone: with another one, or none, the peer is the same.
    return [
      { text: label === "" ? name : `${name} (${label})`, key: name },
      ...[...inside, ...more].map((text) => ({ text, key: `${name}${text}` })),
    ];
  });
  return [...head.map((text) => ({ text, key: text })), ...below];
}

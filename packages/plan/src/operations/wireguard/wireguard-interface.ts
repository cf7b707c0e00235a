import * as z from "zod";
import { address, findPrefix, networksOf, prefix } from "../../addresses.ts";
import { isDistinct, port, wireguardKey } from "../../fields.ts";
import { findTunnelFlaw, isForHosts } from "./tunnel-networks.ts";

/** What stands before the name of an interface in its subject. */
export const wireguardPrefix = "wireguard:";

export const wireguardName = z.string().regex(/^wg[a-z0-9]{1,12}$/, "must be wg and 1 to 12 of a-z and 0-9");

/** Of all peers of one interface. */
const mostNetworks = 16_384;

/** What may be led into a tunnel. */
export function tunnelNetworks(most: number) {
  return networksOf(most)
    .check(mayBeLed)
    .refine((texts) => !texts.some(isCompatible), "must not be in ::/96");
}

/** The kernel makes a route of each network, of an address as of a peer. */
function mayBeLed({ value, issues }: z.core.ParsePayload<string[]>): void {
  const flaws = value.flatMap((text) => {
    const found = findPrefix(text);
    return (found === undefined ? undefined : findTunnelFlaw(found)) ?? [];
  });
  if (flaws[0] !== undefined) issues.push({ code: "custom", message: flaws[0], input: value });
}

/** Of these, the networks from which interfaces get their addresses. */
export function tunnelRanges(most: number) {
  return tunnelNetworks(most).refine(
    (texts) => texts.every(isOfHost),
    "must be networks of addresses that one host alone can have",
  );
}

const peer = z.strictObject({
  /** What a reviewer sees beside the key. */
  label: z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,62}[A-Za-z0-9])?$/, "must be 1 to 64 plain characters"),
  publicKey: wireguardKey,
  /** An address: a host that changes its network, or that boots, looks up no name. */
  endpoint: z.strictObject({ host: address, port }).optional(),
  /** What is sent to the peer and taken from it. */
  allowedIps: tunnelNetworks(256),
  keepaliveSeconds: z.int().min(1).max(65_535).optional(),
});

/** One WireGuard interface of a host, whole: what is not in it is not there afterwards. */
export const wireguardInterface = z.strictObject({
  kind: z.literal("network.wireguard"),
  interface: wireguardName,
  /** The key that the host must have. Null: the one that it has, which the precondition names. */
  publicKey: wireguardKey.nullable(),
  listenPort: port,
  mtu: z.int().min(1_280).max(9_000).optional(),
  addresses: z
    .array(prefix)
    .min(1)
    .max(16)
    .refine(isDistinct, "must not name one twice")
    .refine(
      (texts) => isDistinct(texts.map((text) => text.slice(0, text.indexOf("/")))),
      "must not have one address in two networks",
    )
    .check(mayBeLed)
    .refine((texts) => texts.every(isOfHost), "must be addresses that one host alone can have"),
  peers: z
    .array(peer)
    .max(1_000)
    .refine(
      // What the host then tells of the interface is not cut off.
      (peers) => peers.reduce((sum, { allowedIps }) => sum + allowedIps.length, 0) <= mostNetworks,
      `must not have more than ${mostNetworks} networks together`,
    )
    .refine((peers) => isDistinct(peers.map(({ publicKey }) => publicKey)), "must not name a key twice")
    .refine(
      // WireGuard gives a route that two peers claim to the last one, silently.
      (peers) => isDistinct(peers.flatMap(({ allowedIps }) => allowedIps)),
      "must not give one network to two peers",
    ),
});

export type NetworkWireguard = z.output<typeof wireguardInterface>;

function isOfHost(text: string): boolean {
  const found = findPrefix(text);
  return found !== undefined && isForHosts(found);
}

/** Inside ::/96, where programs write addresses like ::192.0.2.1: what a host tells would never be what was planned. */
function isCompatible(text: string): boolean {
  const found = findPrefix(text);
  return found?.family === 6 && found.length >= 96 && beginsEmpty(found.bytes);
}

function beginsEmpty(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 12).every((byte) => byte === 0);
}

/** fe80::/10: the kernel gives and takes those by itself. */
export function isLinkLocal(text: string): boolean {
  const found = findPrefix(text);
  const [first = 0, second = 0] = found?.bytes ?? [];
  return found?.family === 6 && first === 0xfe && (second & 0xc0) === 0x80;
}

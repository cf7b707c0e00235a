import { liesIn, networksIn, overlaps, type Prefix } from "../../addresses.ts";

/** Of organisations, which give them out as they like. */
export const privateNetworks = networksIn("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7");
/** Of one wire: its neighbours, and where clouds keep what they tell a machine of itself. */
const linkLocalNetworks = networksIn("169.254.0.0/16", "fe80::/10");
/** Of nobody, of every host, or of many at once: no interface gets such an address. */
const nobodysNetworks = networksIn("0.0.0.0/8", "127.0.0.0/8", "224.0.0.0/3", "::/96", "ff00::/8");

/** The shortest prefix. Public networks are narrow: all that there are do not fit into an interface, in whatever parts. */
const shortest = { private: { 4: 8, 6: 16 }, public: { 4: 24, 6: 48 } } as const;

/** Why a network may not be led into a tunnel, whoever signs it; nothing where it may. */
export function findTunnelFlaw(network: Prefix): string | undefined {
  const { family, length } = network;
  if (length === 0) return "must not be all addresses there are";
  if (linkLocalNetworks.some((one) => liesIn(network, one))) return "must not be link-local";
  if (!isPrivate(network) && length < shortest.public[family]) {
    return `must be no wider than /${shortest.public[family]}, or private`;
  }
  return length < shortest.private[family] ? `must be no wider than /${shortest.private[family]}` : undefined;
}

export function isPrivate(network: Prefix): boolean {
  return privateNetworks.some((one) => liesIn(network, one));
}

/**
 * Whether answers to `source` would go into a tunnel that leads to `network`. Of everywhere only what is public counts: private
 * networks are in it too, and no interface could have one.
 */
export function leadsAway(network: Prefix, source: Prefix): boolean {
  return overlaps(network, source) && (source.length > 0 || !isPrivate(network));
}

/** Whether each address of a network is one that a host alone can have. */
export function isForHosts(network: Prefix): boolean {
  return !nobodysNetworks.some((one) => overlaps(one, network));
}

/** Whether a network has an address for this number: neither its own nor, in IPv4, its broadcast. */
export function hasRoomFor({ bytes, length }: Prefix, number: number): boolean {
  const bits = bytes.length * 8 - length;
  return bits >= 17 || number < 2 ** bits - 1;
}

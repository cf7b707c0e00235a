import { networksIn, overlaps, type Prefix } from "../../addresses.ts";

/** Of nobody, of every host, or of many at once: no interface gets such an address. */
const nobodysNetworks = networksIn("0.0.0.0/8", "127.0.0.0/8", "224.0.0.0/3", "::/96", "ff00::/8");

/** Whether each address of a network is one that a host alone can have. */
export function isForHosts(network: Prefix): boolean {
  return !nobodysNetworks.some((one) => overlaps(one, network));
}

/** Whether a network has an address for this number: neither its own nor, in IPv4, its broadcast. */
export function hasRoomFor({ bytes, length }: Prefix, number: number): boolean {
  const bits = bytes.length * 8 - length;
  return bits >= 17 || number < 2 ** bits - 1;
}

import { BlockList, isIP, SocketAddress } from "node:net";
import { edgeLimits } from "./limits.ts";

/** The other end of a TCP connection. One per connection: it cannot change. */
export interface Peer {
  readonly address: string;
  /** Whether its headers speak for the client behind it (contract 5.1). */
  readonly isProxy: boolean;
}

export interface ClientAddressRules {
  readonly trustProxy: boolean;
  /** CIDR ranges. */
  readonly trustedProxies: readonly string[];
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ClientAddresses {
  peer(remoteAddress: string | undefined): Peer;
  /** The real client's address: limits, the audit log and sessions rely on it (contract 4.3). */
  client(peer: Peer, headers: Headers): string;
}

/**
 * Contract 4.3 and 5.1. The `Forwarded` header and every other one are not read at all.
 *
 * Most proxies append to the chain and pass every other header on, so with a chain it alone decides: its right-most hop is
 * the proxy's own word, and a client-IP header beside it is anybody's. Without a chain the client-IP header is that word.
 * `onContradiction` is told when the two differ: one of them is not the proxy's.
 */
export function clientAddresses(
  rules: ClientAddressRules,
  onContradiction: () => void = () => undefined,
): ClientAddresses {
  const named = blockList(rules.trustedProxies);
  const near = blockList(nearRanges);
  const isIn = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return {
    peer: (remoteAddress) => {
      const address = canonicalAddress(remoteAddress ?? "");
      // The socket is gone; nobody will read the answer, and nothing must be believed about it.
      if (address === undefined) return { address: "unknown", isProxy: false };
      return { address, isProxy: rules.trustProxy && (isIn(near, address) || isIn(named, address)) };
    },
    client: (peer, headers) => {
      if (!peer.isProxy) return peer.address;
      const chain = headers["x-forwarded-for"];
      const said = singleClientHeader(headers);
      if (chain === undefined || chain === "") return said ?? peer.address;
      const address = lastUntrustedHop(peer.address, chain, (hop) => isIn(named, hop));
      if (said !== undefined && said !== address) onContradiction();
      return address;
    },
  };
}

/** Loopback and private addresses: counted for the peer only, never inside the chain, where anybody could write them. */
const nearRanges = ["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7"];

/**
 * The address in `CF-Connecting-IP` or `X-Real-IP`, if there is exactly one. Two that disagree mean that one of them was
 * passed through from outside; then neither is believed.
 */
function singleClientHeader(headers: Headers): string | undefined {
  const edge = headerAddress(headers["cf-connecting-ip"]);
  const real = headerAddress(headers["x-real-ip"]);
  if (edge !== undefined && real !== undefined && edge !== real) return undefined;
  return edge ?? real;
}

/** From the right, each hop was written by the one after it: believed as long as the one after it is a trusted proxy. */
function lastUntrustedHop(peer: string, chain: Headers[string], isTrusted: (hop: string) => boolean): string {
  let address = peer;
  if (typeof chain !== "string") return address;
  let end = chain.length;
  for (let hops = 0; hops < edgeLimits.forwardedHops && end >= 0; hops += 1) {
    const comma = end === 0 ? -1 : chain.lastIndexOf(",", end - 1);
    const hop = headerAddress(chain.slice(comma + 1, end).trim());
    if (hop === undefined) return address;
    address = hop;
    if (!isTrusted(hop)) return address;
    end = comma;
  }
  return address;
}

function headerAddress(value: Headers[string]): string | undefined {
  // A repeated header arrives joined by commas and is no address; a zone names an interface of somebody else's machine.
  return typeof value === "string" && !value.includes("%") ? canonicalAddress(value) : undefined;
}

/** One text per address: lower case, zeros compressed, and IPv4 in IPv6 clothes as IPv4. Undefined for anything else. */
export function canonicalAddress(text: string): string | undefined {
  const family = isIP(text);
  if (family === 0) return undefined;
  if (family === 4) return text;
  const address = new SocketAddress({ address: text, family: "ipv6" }).address;
  const mapped = address.startsWith("::ffff:") ? address.slice(7) : "";
  return isIP(mapped) === 4 ? mapped : address;
}

/** Who counts as one caller: an IPv4 address, or the /64 of an IPv6 one, which a single subscriber owns whole. */
export function addressBlock(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  if (tail !== undefined) while (groups.length + after.length < 8) groups.push("0");
  return `${[...groups, ...after].slice(0, 4).join(":")}::/64`;
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [base = "", length = ""] = range.split("/");
    list.addSubnet(base, Number(length), isIP(base) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}

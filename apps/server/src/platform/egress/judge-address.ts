import { parseAddress } from "@gatehouse/contract";

/**
 * Addresses that a request never goes to, with what they are (IANA's registries of special-purpose addresses, and what
 * clouds put in public ranges). IPv6 is the other way round: only 2000::/3 is public, less what stands here.
 */
export const refusedRanges: readonly (readonly [range: string, what: string])[] = [
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "shared by a carrier"],
  ["127.0.0.0/8", "loopback"],
  ["168.63.129.16/32", "a cloud's host"],
  ["169.254.0.0/16", "link-local, where clouds keep metadata"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "for protocols"],
  ["192.0.2.0/24", "for documentation"],
  ["192.31.196.0/24", "a sink"],
  ["192.52.193.0/24", "a multicast tunnel"],
  ["192.88.99.0/24", "a 6to4 relay"],
  ["192.168.0.0/16", "private"],
  ["192.175.48.0/24", "a sink"],
  ["198.18.0.0/15", "for benchmarks"],
  ["198.51.100.0/24", "for documentation"],
  ["203.0.113.0/24", "for documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["::ffff:0:0/96", "IPv4 mapped into IPv6"],
  ["::ffff:0:0:0/96", "IPv4 translated to IPv6"],
  ["::/96", "IPv4-compatible IPv6"],
  ["64:ff9b::/96", "IPv4 behind NAT64"],
  ["64:ff9b:1::/48", "IPv4 behind a local NAT64"],
  ["100::/64", "discarded"],
  ["100:0:0:1::/64", "a dummy"],
  ["2001::/32", "IPv4 in a Teredo tunnel"],
  ["2001::/23", "for protocols"],
  ["2001:db8::/32", "for documentation"],
  ["2002::/16", "IPv4 in a 6to4 tunnel"],
  ["3fff::/20", "for documentation"],
  ["5f00::/16", "for segment routing"],
  ["fc00::/7", "unique local"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "site-local"],
  ["ff00::/8", "multicast"],
];

interface Range {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly what: string;
}

const ranges: readonly Range[] = refusedRanges.map(([range, what]) => ({ ...parse(range), what }));
const globalUnicast = parse("2000::/3");

/** Why a request may not go to this address; undefined for a public one. Anything that is not exactly an address is refused. */
export function judgeAddress(address: string): string | undefined {
  const bytes = parseAddress(address);
  if (bytes === undefined) return "not an address";
  const known = ranges.find((range) => isWithin(bytes, range));
  if (known !== undefined) return known.what;
  if (bytes.length === 4) return undefined;
  if (!isWithin(bytes, globalUnicast)) return "not global unicast";
  return isIsatap(bytes) ? "IPv4 in an ISATAP tunnel" : undefined;
}

/** ISATAP hides an IPv4 address behind any prefix: the interface id is 0000:5efe or 0200:5efe and then the address. */
function isIsatap(bytes: Uint8Array): boolean {
  return ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}

function isWithin(address: Uint8Array, { bytes, length }: Pick<Range, "bytes" | "length">): boolean {
  if (address.length !== bytes.length) return false;
  const whole = length >> 3;
  for (let at = 0; at < whole; at += 1) if (address[at] !== bytes[at]) return false;
  const rest = length & 7;
  return rest === 0 || (address[whole] ?? 0) >> (8 - rest) === (bytes[whole] ?? 0) >> (8 - rest);
}

function parse(range: string): Omit<Range, "what"> {
  const [base = "", length = ""] = range.split("/");
  const bytes = parseAddress(base);
  if (bytes === undefined) throw new Error(`${range} is no range`);
  return { bytes, length: Number(length) };
}

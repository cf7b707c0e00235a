import { parseAddress } from "@gatehouse/contract";

/**
 * Who counts as one stranger: the /24 of an IPv4 address, the /48 of an IPv6 one. A single subscriber may own as much, so
 * fewer bits would give them many lanes, and more would make one lane of people who have nothing to do with each other.
 */
export function strangerBlock(address: string): string {
  const bytes = parseAddress(address);
  // The socket was gone, or the address has a zone: all of those together are one.
  if (bytes === undefined) return "unknown";
  if (bytes.length === 4) return `${bytes.subarray(0, 3).join(".")}.0/24`;
  return `${Buffer.from(bytes.subarray(0, 6)).toString("hex")}/48`;
}

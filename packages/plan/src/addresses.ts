import { parseAddress } from "@gatehouse/contract";
import * as z from "zod";

/** A prefix such as 10.0.0.0/8 or 2001:db8::/32, taken apart. */
export interface Prefix {
  readonly family: 4 | 6;
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** One spelling only: no leading zeros, IPv6 in lower case and as short as RFC 5952 wants it, and never IPv4 in IPv6 clothes. */
export function findAddress(text: string): Uint8Array | undefined {
  if (text.length > 39) return undefined;
  const bytes = parseAddress(text);
  if (bytes === undefined || isMapped(bytes) || writeAddress(bytes) !== text) return undefined;
  return bytes;
}

export function findPrefix(text: string): Prefix | undefined {
  const [, address = "", length = ""] = /^([0-9a-f.:]{2,39})\/(0|[1-9][0-9]{0,2})$/.exec(text) ?? [];
  const bytes = findAddress(address);
  if (bytes === undefined || Number(length) > bytes.length * 8) return undefined;
  return { family: bytes.length === 4 ? 4 : 6, bytes, length: Number(length) };
}

/** As `findPrefix`, with nothing set behind the prefix: a network, not a host in one. */
export function findNetwork(text: string): Prefix | undefined {
  const prefix = findPrefix(text);
  return prefix === undefined || hasHostBits(prefix) ? undefined : prefix;
}

/** The networks that a table names. What is none is left out. */
export function networksIn(...texts: readonly string[]): readonly Prefix[] {
  return texts.flatMap((text) => findNetwork(text) ?? []);
}

/** One of the two holds the other; two networks have no other way to share an address. */
export function overlaps(one: Prefix, other: Prefix): boolean {
  if (one.family !== other.family) return false;
  const length = Math.min(one.length, other.length);
  return one.bytes.every((byte, index) => {
    const kept = Math.min(8, Math.max(0, length - index * 8));
    return ((byte ^ (other.bytes[index] ?? 0)) & (255 << (8 - kept)) & 255) === 0;
  });
}

export function liesIn(inner: Prefix, outer: Prefix): boolean {
  return inner.length >= outer.length && overlaps(inner, outer);
}

/** The network that an address with a prefix length lies in, such as 10.0.0.0/24 for 10.0.0.7/24. */
export function writePrefix({ bytes, length }: Prefix): string {
  const kept = bytes.map((byte, index) => byte & (255 << (8 - Math.min(8, Math.max(0, length - index * 8)))) & 255);
  return `${writeAddress(kept)}/${length}`;
}

export function writeAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0));
  const zeros = longestZeros(groups);
  const write = (part: readonly number[]) => part.map((group) => group.toString(16)).join(":");
  if (zeros.length < 2) return write(groups);
  return `${write(groups.slice(0, zeros.start))}::${write(groups.slice(zeros.start + zeros.length))}`;
}

export const address = z
  .string()
  .refine((text) => findAddress(text) !== undefined, "must be an IP address in its shortest form");
export const prefix = z
  .string()
  .refine((text) => findPrefix(text) !== undefined, "must be an address with its prefix length, such as 10.0.0.7/24");
export const network = z
  .string()
  .refine(
    (text) => findNetwork(text) !== undefined,
    "must be a network with no bits behind its prefix, such as 10.0.0.0/24",
  );

/** Networks beside each other: none twice, none inside another. Firewalls and routes read such a list in one way only. */
export function networksOf(most: number) {
  return z
    .array(network)
    .min(1)
    .max(most)
    .refine((texts) => {
      const found = texts.flatMap((text) => findNetwork(text) ?? []);
      return found.every((one, index) => found.slice(index + 1).every((other) => !overlaps(one, other)));
    }, "must be networks that do not overlap");
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start += 1) {
    let length = 0;
    while (groups[start + length] === 0) length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
}

function isMapped(bytes: Uint8Array): boolean {
  return bytes.length === 16 && bytes.subarray(0, 10).every((b) => b === 0) && bytes[10] === 255 && bytes[11] === 255;
}

function hasHostBits({ bytes, length }: Prefix): boolean {
  return bytes.some((byte, index) => (byte & (255 >> Math.min(8, Math.max(0, length - index * 8)))) !== 0);
}

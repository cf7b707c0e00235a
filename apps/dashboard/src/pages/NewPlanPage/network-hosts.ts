import type { Node } from "@gatehouse/contract/routes";
import {
  findAddress,
  findNetwork,
  hasRoomFor,
  networksIn,
  overlaps,
  privateNetworks,
  type Prefix,
  writeAddress,
} from "@gatehouse/plan";
import { compareNames } from "../../widgets/Fleet/fleet-groups.ts";

/** A host as far as a network needs to know it. */
export type NetworkHost = Pick<Node, "id" | "name" | "address" | "facts">;

/** The largest that a plugin takes: two bytes, without the last address of them. */
export const mostNumber = 65_534;

/** What number `number` is called in a range that has room for it. */
export function addressIn({ bytes }: Prefix, number: number): string {
  const own = Uint8Array.from(bytes);
  const last = own.length - 1;
  own[last] = (own[last] ?? 0) | (number & 255);
  own[last - 1] = (own[last - 1] ?? 0) | (number >> 8);
  return writeAddress(own);
}

/** The order of the rows, whoever is connected. */
export function sortByName(hosts: readonly NetworkHost[]): readonly NetworkHost[] {
  return hosts.toSorted((a, b) => compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1));
}

/**
 * A number for each host: the one of the address that it has in the range already, otherwise the first free one, in the order of
 * their names. Hosts keep their addresses when others join them.
 */
export function suggestNumbers(
  hosts: readonly NetworkHost[],
  ranges: readonly Prefix[],
  typed: (id: string) => string | undefined,
): ReadonlyMap<string, string> {
  const sorted = sortByName(hosts);
  const open = sorted.filter(({ id }) => typed(id) === undefined);
  const taken = new Set(sorted.map(({ id }) => typed(id)?.trim()));
  const found = new Map<string, string>();
  const give = (id: string, number: string): void => {
    if (taken.has(number)) return;
    found.set(id, number);
    taken.add(number);
  };
  for (const { id, facts } of open) {
    const told = (facts?.addresses ?? []).flatMap((text) => numberIn(text, ranges) ?? []);
    if (told[0] !== undefined) give(id, String(told[0]));
  }
  let next = 1;
  for (const { id } of open) {
    while (taken.has(String(next))) next += 1;
    if (!found.has(id)) give(id, String(next));
  }
  return found;
}

function numberIn(text: string, ranges: readonly Prefix[]): number | undefined {
  const at = pointOf(text);
  const range = ranges.find((one) => at !== undefined && overlaps(one, at));
  if (at === undefined || range === undefined) return undefined;
  const number = at.bytes.reduce((sum, byte, index) => sum * 256 + (byte ^ (range.bytes[index] ?? 0)), 0);
  return number >= 1 && number <= mostNumber && hasRoomFor(range, number) ? number : undefined;
}

/**
 * Where others may reach a host: the address with which it calls the server, if it is its own; otherwise one that it told. Nothing
 * for a host that tells private addresses and calls from another: it is behind a router.
 */
export function suggestAddress({ address, facts }: NetworkHost, ranges: readonly Prefix[]): string {
  const told = tellsOutside(facts?.addresses ?? [], ranges);
  const from = tellsOutside(address === null ? [] : [address], ranges)[0];
  if (from !== undefined && told.includes(from)) return from;
  const open = told.find((text) => !isIn(text, privateNetworks));
  if (open !== undefined) return open;
  const isBehind = told.length > 0 && from !== undefined && !isIn(from, privateNetworks);
  return isBehind ? "" : (told[0] ?? from ?? "");
}

/** Addresses at which others could reach it at all, IPv4 first. */
export function tellsOutside(addresses: readonly string[], ranges: readonly Prefix[]): readonly string[] {
  return addresses
    .filter((text) => findAddress(text) !== undefined && !isIn(text, [...ownNetworks, ...ranges]))
    .toSorted((a, b) => Number(a.includes(":")) - Number(b.includes(":")));
}

export function isIn(text: string, networks: readonly Prefix[]): boolean {
  const at = pointOf(text);
  return at !== undefined && networks.some((one) => overlaps(one, at));
}

function pointOf(text: string): Prefix | undefined {
  return findNetwork(`${text}/${text.includes(":") ? 128 : 32}`);
}

/** Of the host alone, or of its own wire. */
const ownNetworks = networksIn("127.0.0.0/8", "169.254.0.0/16", "::1/128", "fe80::/10");

import { parseAddress } from "@gatehouse/contract";
import { type Prefix, writeAddress } from "./addresses.ts";

/** Addresses from one to another, both in it, as numbers. A list of them is in rising order, and no two touch. */
export interface AddressRange {
  readonly from: bigint;
  readonly to: bigint;
}

export function rangeOfPrefix({ bytes, length }: Prefix): AddressRange {
  const rest = BigInt(bytes.length * 8 - length);
  const from = (numberOf(bytes) >> rest) << rest;
  return { from, to: from + (1n << rest) - 1n };
}

/** In rising order, with what overlaps or touches made one. */
export function mergeRanges(ranges: readonly AddressRange[]): AddressRange[] {
  const merged: { from: bigint; to: bigint }[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    const last = merged.at(-1);
    if (last === undefined || from > last.to + 1n) merged.push({ from, to });
    else if (to > last.to) last.to = to;
  }
  return merged;
}

/** The fewest networks that are exactly this range. */
export function networksOfRange({ from, to }: AddressRange, family: 4 | 6): string[] {
  const bits = family === 4 ? 32 : 128;
  const networks: string[] = [];
  for (let next = from; next <= to; ) {
    let free = 0;
    while (
      free < bits &&
      (next & ((1n << BigInt(free + 1)) - 1n)) === 0n &&
      next + (1n << BigInt(free + 1)) - 1n <= to
    ) {
      free += 1;
    }
    networks.push(`${writeAddress(bytesOf(next, bits / 8))}/${bits - free}`);
    next += 1n << BigInt(free);
  }
  return networks;
}

/** An address as a host writes it down; one of IPv4 in IPv6 clothes is of IPv4. */
export function findHostAddress(text: string): Prefix | undefined {
  const bytes = parseAddress(text);
  if (bytes === undefined) return undefined;
  if (bytes.length === 4) return { family: 4, bytes, length: 32 };
  const mapped = bytes.every((byte, index) => index >= 12 || byte === (index < 10 ? 0 : 255));
  return mapped ? { family: 4, bytes: bytes.slice(12), length: 32 } : { family: 6, bytes, length: 128 };
}

function numberOf(bytes: Uint8Array): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

function bytesOf(number: bigint, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => Number((number >> BigInt((length - 1 - index) * 8)) & 255n));
}

import type { Json, JsonObject } from "@gatehouse/base";
import { findAddress } from "@gatehouse/plan";
import { visibleLine } from "./visible-line.ts";

/** One route of an interface, as `ip` tells it. */
export interface ToldRoute {
  readonly family: 4 | 6;
  readonly told: JsonObject & { readonly dst: string };
}

/** One of its addresses, with the length of its network. */
export interface ToldAddress {
  readonly text: string;
  readonly told: JsonObject;
}

/** The routes that a host tells of an interface: without those that the kernel adds for addresses, and those of other tables. */
export function routesTold(all: readonly ToldRoute[]): string[] {
  return all
    .filter(({ told }) => !isKernels(told) && !("table" in told))
    .map(networkOf)
    .toSorted();
}

/**
 * Routes that a plain `route add NETWORK dev NAME` would not give again, each in words. By what such a route has, and not by what
 * others may have: whatever is not known here would be lost.
 */
export function specialRoutes(all: readonly ToldRoute[]): string[] {
  const taken = new Set(all.filter(({ told }) => isKernels(told)).flatMap((one) => placesOf(one)));
  return all
    .filter(({ told }) => !isKernels(told))
    .flatMap((one) => {
      const more = Object.entries(one.told).filter(([key, value]) => !isPlain(one, key, value));
      if (more.length > 0) return [sayPart(`the route ${networkOf(one)}`, more)];
      const places = placesOf(one);
      // The kernel would not take the second.
      const isTaken = places.some((place) => taken.has(place));
      for (const place of places) taken.add(place);
      return isTaken ? [`the route ${networkOf(one)} twice`] : [];
    });
}

/** What an address has that a plain `address add` would not give again, in words; nothing where it is as one gives it. */
export function specialAddress({ text, told }: ToldAddress): string[] {
  const more = Object.entries(told).filter(([key]) => specialOfAddress.includes(key));
  return more.length === 0 ? [] : [sayPart(`the address ${text}`, more)];
}

/** A peer's address behind it, no route of its network or one with a metric, and an end. */
const specialOfAddress: readonly string[] = ["address", "noprefixroute", "metric", "dynamic"];

/** What the kernel gives a route of which nobody says it; where it is 0, `ip` leaves it out. */
const usualMetric = { 4: 0, 6: 1_024 } as const;

function isPlain({ family }: ToldRoute, key: string, value: Json | undefined): boolean {
  if (key === "metric") return value === usualMetric[family];
  return plain[key]?.(value) ?? false;
}

const plain: Readonly<Record<string, (value: Json | undefined) => boolean>> = {
  dst: () => true,
  // Who has made it, and what the link is like at the moment: neither says where anything goes.
  protocol: () => true,
  flags: () => true,
  scope: (value) => value === "link" || value === "global",
  type: (value) => value === "unicast",
  pref: (value) => value === "medium",
};

/** Two routes with one of these cannot both be there. */
function placesOf(one: ToldRoute): string[] {
  const { metric = 0, table } = one.told;
  return metric === usualMetric[one.family] && table === undefined ? [networkOf(one)] : [];
}

function isKernels({ protocol, table }: JsonObject): boolean {
  // That table is the kernel's own; some versions do not say so of every route in it.
  return protocol === "kernel" || table === "local";
}

function networkOf({ family, told: { dst } }: ToldRoute): string {
  if (dst === "default") return family === 4 ? "0.0.0.0/0" : "::/0";
  const bits = findAddress(dst)?.byteLength;
  return bits === undefined ? dst : `${dst}/${bits * 8}`;
}

/** As much of it as tells it from another. */
const mostLength = 200;

function sayPart(what: string, more: readonly (readonly [string, Json | undefined])[]): string {
  const words = more.map(([key, value]) => `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`);
  return visibleLine(`${what} with ${words.join(", ")}`, mostLength);
}

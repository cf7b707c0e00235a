import * as z from "zod";
import { findHostAddress, mergeRanges, networksOfRange, rangeOfPrefix } from "../../address-ranges.ts";
import { canonicalPorts } from "./canonical-rule.ts";
import { renderPorts, renderSet } from "./render.ts";

/**
 * One expression of `nft -j` in nft's own syntax, in the spelling that our renderer has and with its sets in one order.
 * Undefined for what our renderer never writes.
 */
export function findNftText(expression: unknown): string | undefined {
  if (typeof expression !== "object" || expression === null) return undefined;
  const [entry, ...others] = Object.entries(expression);
  if (entry === undefined || others.length > 0) return undefined;
  const [name, value] = entry;
  return Object.hasOwn(readers, name) ? readers[name]?.(value) : undefined;
}

const readers: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  match: findMatchText,
  counter: () => "counter",
  accept: (value) => (value === null ? "accept" : undefined),
  drop: (value) => (value === null ? "drop" : undefined),
  reject: (value) => (value === null || usualReject.safeParse(value).success ? "reject" : undefined),
};

/** The answer that nft chooses by itself has a name for each family. */
const usualReject = z.strictObject({
  type: z.enum(["icmp", "icmpv6", "icmpx"]),
  expr: z.literal("port-unreachable"),
});

const bound = z.union([z.string(), z.int()]);
const element = z.union([
  bound,
  z.strictObject({ range: z.tuple([bound, bound]) }),
  z.strictObject({ prefix: z.strictObject({ addr: z.string(), len: z.int() }) }),
]);
type Element = z.output<typeof element>;
const left = z.union([
  z.strictObject({ meta: z.strictObject({ key: z.string() }) }).transform(({ meta }) => `meta ${meta.key}`),
  z.strictObject({ ct: z.strictObject({ key: z.string() }) }).transform(({ ct }) => `ct ${ct.key}`),
  z
    .strictObject({ payload: z.strictObject({ protocol: z.string(), field: z.string() }) })
    .transform(({ payload }) => `${payload.protocol} ${payload.field}`),
]);
const set = z.strictObject({ set: z.union([z.array(element), element]) });
const match = z.strictObject({ op: z.string(), left, right: z.union([set, z.array(element), element]) });

function findMatchText(value: unknown): string | undefined {
  const parsed = match.safeParse(value);
  if (!parsed.success || !Object.hasOwn(fields, parsed.data.left)) return undefined;
  const { op, left: name, right } = parsed.data;
  // A connection has one state: to be in a list of states and to be equal to one of them is the same.
  if (op !== "==" && !(op === "in" && name === "ct state")) return undefined;
  if (op === "==" && Array.isArray(right)) return undefined;
  const all = typeof right === "object" && "set" in right ? right.set : right;
  return fields[name]?.(Array.isArray(all) ? all : [all]);
}

const fields: Readonly<Record<string, (elements: readonly Element[]) => string | undefined>> = {
  "meta iifname": (elements) =>
    withSet(
      "iifname",
      findWords(elements, /^.+$/su)?.map((name) => JSON.stringify(name)),
    ),
  "meta l4proto": (elements) => {
    const names = findWords(elements, plainWord)?.map((name) => (name === "icmpv6" ? "ipv6-icmp" : name));
    return names?.length === 1 ? `meta l4proto ${names[0]}` : withSet("meta l4proto", names);
  },
  "ct state": (elements) => withSet("ct state", findWords(elements, plainWord)),
  "icmp type": (elements) => withSet("icmp type", findWords(elements, plainWord)),
  "icmpv6 type": (elements) => withSet("icmpv6 type", findWords(elements, plainWord)),
  "ip saddr": (elements) => withSet("ip saddr", findNetworks(elements, 4)),
  "ip daddr": (elements) => withSet("ip daddr", findNetworks(elements, 4)),
  "ip6 saddr": (elements) => withSet("ip6 saddr", findNetworks(elements, 6)),
  "ip6 daddr": (elements) => withSet("ip6 daddr", findNetworks(elements, 6)),
  "tcp dport": (elements) => withSet("tcp dport", findPorts(elements)),
  "udp dport": (elements) => withSet("udp dport", findPorts(elements)),
};

const plainWord = /^[a-z0-9][a-z0-9-]*$/;

function withSet(field: string, items: readonly string[] | undefined): string | undefined {
  return items === undefined || items.length === 0 ? undefined : `${field} ${renderSet(items)}`;
}

function findWords(elements: readonly Element[], form: RegExp): string[] | undefined {
  const words = elements.filter((one) => typeof one === "string").filter((one) => form.test(one));
  return words.length === elements.length ? words.toSorted() : undefined;
}

function findPorts(elements: readonly Element[]): string[] | undefined {
  const ranges = elements.flatMap((one) => {
    const [from, to] = typeof one === "object" && "range" in one ? one.range : [one, one];
    return typeof from === "number" && typeof to === "number" ? [{ from, to }] : [];
  });
  return ranges.length === elements.length ? canonicalPorts(ranges).map(renderPorts) : undefined;
}

function findNetworks(elements: readonly Element[], family: 4 | 6): string[] | undefined {
  const ranges = elements.flatMap((one) => findAddressRange(one, family) ?? []);
  if (ranges.length !== elements.length) return undefined;
  return mergeRanges(ranges).flatMap((range) => networksOfRange(range, family));
}

function findAddressRange(one: Element, family: 4 | 6) {
  const [first, last, length] =
    typeof one !== "object"
      ? [one, one, undefined]
      : "prefix" in one
        ? [one.prefix.addr, one.prefix.addr, one.prefix.len]
        : [...one.range, undefined];
  const [from, to] = [first, last].map((text) => (typeof text === "string" ? findHostAddress(text) : undefined));
  if (from?.family !== family || to?.family !== family) return undefined;
  if (length !== undefined && (length < 0 || length > from.length)) return undefined;
  const range = { from: rangeOfPrefix({ ...from, length: length ?? from.length }).from, to: 0n };
  return { ...range, to: rangeOfPrefix({ ...to, length: length ?? to.length }).to };
}

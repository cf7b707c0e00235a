import { type Json, type JsonObject, parseStrictJson } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { type FirewallState, firewallState, nftWords } from "@gatehouse/plan";
import type { HostRun } from "../host/run-on-host.ts";
import { failedProgram } from "./failed-program.ts";
import type { StateGround } from "./host-operation.ts";

/** One table as nft lists it, without what changes though the rules do not. */
export async function readFirewallState(
  { run }: Pick<StateGround, "run">,
  table: string,
): Promise<FirewallState | null> {
  const ran = await run("nft", nftWords.listJson(table));
  if (ran.code === 0) return parseTable(ran.stdout);
  if (hasNoTable(ran)) return null;
  throw failedProgram("nft", ran);
}

/** Whether nft was there and has found no such table. */
export function hasNoTable({ code, stderr }: HostRun): boolean {
  return code !== null && code !== 0 && /No such file or directory/.test(stderr);
}

const listingJson = { depth: 32, keys: 200_000, items: 200_000 };

/**
 * What `nft -j -s list table` prints, without version, handles and indexes: the kernel gives others after a reload, and nft may be
 * updated. Without what counts either, which `-s` leaves in JSON: traffic moves it, and nobody puts it back. Throws for a listing
 * that has no such form.
 */
export function parseTable(listing: string): FirewallState {
  const read = parseStrictJson(listing, listingJson);
  const items = read.ok && isObject(read.value) ? read.value["nftables"] : undefined;
  if (!Array.isArray(items)) throw fault("state.unreadable", "nft has listed nothing that can be read");
  const state = { nftables: (items as Json[]).filter((item) => !isObject(item) || !("metainfo" in item)).map(settled) };
  const parsed = firewallState.safeParse(state);
  if (parsed.success) return parsed.data;
  const isLong = parsed.error.issues.some(({ code }) => code === "too_big");
  throw isLong
    ? fault("read.limit", `the table has ${state.nftables.length} parts`)
    : fault("state.unreadable", "nft has listed something that is no part of a table");
}

/** What names a part to the kernel, and what moves by itself: by the word that says what the part is. */
const numbers = ["handle", "index"];
const moving: ReadonlyMap<string, readonly string[]> = new Map([
  ["counter", [...numbers, "packets", "bytes"]],
  ["quota", [...numbers, "used"]],
]);

/** Each item has one member that says what it is, and in it what names it to the kernel. */
function settled(item: Json): Json {
  if (!isObject(item)) return item;
  return Object.fromEntries(
    Object.entries(item).map(([kind, part]) => [kind, isObject(part) ? settledPart(kind, part) : part]),
  );
}

function settledPart(kind: string, part: JsonObject): JsonObject {
  const left = without(part, moving.get(kind) ?? numbers);
  const { elem, expr } = left;
  return {
    ...left,
    ...(Array.isArray(elem) ? { elem: elem.map(settledElement) } : {}),
    ...(Array.isArray(expr) ? { expr: expr.map(settledExpression) } : {}),
  };
}

/** An element of a set, or of a map with what it leads to: how long it is still to stay is not told. */
function settledElement(element: Json): Json {
  if (Array.isArray(element)) return element.map(settledElement);
  const inner = isObject(element) ? element["elem"] : undefined;
  return isObject(inner) ? { elem: without(inner, ["expires"]) } : element;
}

/**
 * A set of one is that one. The kernel joins what touches, so that two networks may be listed as a set of one range; nft, reading its
 * own listing, makes a plain range of it. It is the same rule before and after.
 */
function settledExpression(expression: Json): Json {
  const match = isObject(expression) ? expression["match"] : undefined;
  const right = isObject(match) ? match["right"] : undefined;
  const set = isObject(right) ? right["set"] : undefined;
  if (!isObject(match) || !Array.isArray(set) || set.length !== 1) return expression;
  return { match: { ...match, right: set[0] as Json } };
}

function without(part: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(part).filter(([key]) => !keys.includes(key)));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

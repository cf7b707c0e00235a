import { type Json, type JsonObject, parseStrictJson } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { firewallState } from "@gatehouse/plan";
import type { HostOperation } from "./host-operation.ts";
import { failedProgram } from "./failed-program.ts";

/** One table as nft lists it, without what changes though the rules do not. */
export const readFirewallState: HostOperation["readState"] = async ({ run }, table) => {
  const ran = await run("nft", ["-j", "-s", "list", "table", "inet", table]);
  if (ran.code === 0) return parseTable(ran.stdout);
  if (ran.code !== null && /No such file or directory/.test(ran.stderr)) return null;
  throw failedProgram("nft", ran);
};

const listingJson = { depth: 32, keys: 200_000, items: 200_000 };

/**
 * What `nft -j -s list table` prints, without version, handles and indexes: the kernel gives others after a reload, and nft may be
 * updated. Throws for a listing that has no such form.
 */
export function parseTable(listing: string): JsonObject {
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

const numbers = ["handle", "index"];

/** Each item has one member that says what it is, and in it what names it to the kernel. */
function settled(item: Json): Json {
  if (!isObject(item)) return item;
  return Object.fromEntries(
    Object.entries(item).map(([kind, part]) => [kind, isObject(part) ? unnumbered(part) : part]),
  );
}

function unnumbered(part: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(part).filter(([key]) => !numbers.includes(key)));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

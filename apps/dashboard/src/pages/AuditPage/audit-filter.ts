import type { AuditSearch } from "../../api/audit.ts";

export const filterNames = ["text", "actor", "action", "subject", "from", "to"] as const;
export type FilterName = (typeof filterNames)[number];
export type AuditFilter = { readonly [Name in FilterName]?: string };

/** What the address says. The router reads `?text=12` as a number, so everything is made text again. */
export function readFilter(search: Readonly<Record<string, unknown>>): AuditFilter {
  const filter: { [Name in FilterName]?: string } = {};
  for (const name of filterNames) {
    const value = search[name];
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") continue;
    const text = String(value).trim();
    if (text !== "") filter[name] = text;
  }
  return filter;
}

/** The entry that is opened, by its position in the chain. */
export function readOpened(search: Readonly<Record<string, unknown>>): number | undefined {
  const at = Number(search["at"]);
  return Number.isSafeInteger(at) && at > 0 ? at : undefined;
}

/** Whether it is asked who else knows the log. */
export function readWitnessesOpen(search: Readonly<Record<string, unknown>>): boolean {
  return search["witnesses"] === true;
}

/** A time that is none is left out: the server would refuse the whole search for it. */
export function searchOf(filter: AuditFilter, limit: number): AuditSearch {
  const { from, to, ...words } = filter;
  return { ...words, from: isoOf(from), to: isoOf(to), limit: String(limit) };
}

/** For an input of the type datetime-local, which knows the reader's own time only. */
export function localOf(iso: string | undefined): string {
  const at = new Date(iso ?? "");
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function isoOf(local: string | undefined): string | undefined {
  const at = new Date(local ?? "");
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

export function countFilters(filter: AuditFilter): number {
  return filterNames.filter((name) => filter[name] !== undefined).length;
}

/** The address of the log with one condition alone: "everything this person did". */
export function hrefOnly(name: FilterName, value: string): string {
  return `/audit?${name}=${encodeURIComponent(/^[a-z]/i.test(value) && !isWordOfJson(value) ? value : JSON.stringify(value))}`;
}

function isWordOfJson(value: string): boolean {
  return value === "true" || value === "false" || value === "null";
}

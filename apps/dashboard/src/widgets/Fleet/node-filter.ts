import type { Node } from "@gatehouse/contract/routes";
import type { Sort } from "../../ui/Table.tsx";
import { compareNames } from "./fleet-groups.ts";
import { type NodeFilter, nodeFilterNames } from "./nodes-href.ts";
import { standingOf, standings } from "./standing.ts";

/** What the address says; the router reads `?text=12` as a number, so everything is made text again. */
export function readNodeFilter(search: Readonly<Record<string, unknown>>): NodeFilter {
  return Object.fromEntries(
    nodeFilterNames.flatMap((name) => {
      const value = search[name];
      const text = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
      return text === "" ? [] : [[name, text]];
    }),
  );
}

const sortable: readonly string[] = ["name", "state", "version", "seen"];

/** `sort=-name` is by name, the last first. */
export function readSort(search: Readonly<Record<string, unknown>>): Sort | undefined {
  const said = typeof search["sort"] === "string" ? search["sort"] : "";
  const column = said.replace(/^-/, "");
  return sortable.includes(column) ? { column, down: said.startsWith("-") } : undefined;
}

export function writeSort({ column, down }: Sort): string {
  return `${down ? "-" : ""}${column}`;
}

export function filterNodes(nodes: readonly Node[], filter: NodeFilter): readonly Node[] {
  const { state, tag, ceiling, version, architecture } = filter;
  const words = (filter.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return nodes.filter(
    (node) =>
      (state === undefined || isInState(node, state)) &&
      (tag === undefined || node.tags.includes(tag)) &&
      (ceiling === undefined || node.facts?.mode === ceiling) &&
      (version === undefined || node.facts?.agentVersion === version) &&
      (architecture === undefined || node.facts?.arch === architecture) &&
      words.every((word) => textOf(node).includes(word)),
  );
}

/** Without a wish: what needs somebody first, then by name. */
export function sortNodes(nodes: readonly Node[], sort: Sort | undefined): readonly Node[] {
  const compare = compareBy[sort?.column ?? "state"] ?? byNeed;
  const turn = sort?.down === true ? -1 : 1;
  return [...nodes].sort((a, b) => turn * compare(a, b) || byName(a, b));
}

const byName = (a: Node, b: Node): number => compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1);
const byNeed = (a: Node, b: Node): number => standings.indexOf(standingOf(a)) - standings.indexOf(standingOf(b));
const compareBy: Readonly<Record<string, (a: Node, b: Node) => number>> = {
  name: byName,
  state: byNeed,
  version: (a, b) => compareNames(a.facts?.agentVersion ?? "", b.facts?.agentVersion ?? ""),
  seen: (a, b) => (b.lastSeenAt ?? "").localeCompare(a.lastSeenAt ?? ""),
};

/** `online` is whoever is connected, whatever else may be said of it. */
function isInState(node: Node, state: string): boolean {
  return state === "online" ? node.state === "online" : standingOf(node) === state;
}

function textOf({ id, name, hostname, address, tags, notes, facts }: Node): string {
  return [id, name, hostname, address ?? "", ...tags, notes, ...(facts?.addresses ?? []), facts?.os ?? ""]
    .join("\n")
    .toLowerCase();
}

export interface FilterChoices {
  readonly tags: readonly string[];
  readonly ceilings: readonly string[];
  readonly versions: readonly string[];
  readonly architectures: readonly string[];
}

/** What there is to choose from among these nodes. */
export function choicesOf(nodes: readonly Node[]): FilterChoices {
  const sorted = (values: readonly string[]) => [...new Set(values)].sort(compareNames);
  return {
    tags: sorted(nodes.flatMap(({ tags }) => tags)),
    ceilings: sorted(nodes.flatMap(({ facts }) => facts?.mode ?? [])),
    versions: sorted(nodes.flatMap(({ facts }) => facts?.agentVersion ?? [])),
    architectures: sorted(nodes.flatMap(({ facts }) => facts?.arch ?? [])),
  };
}

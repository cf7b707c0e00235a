import type { Node } from "@gatehouse/contract/routes";
import { compareNames } from "../Fleet/fleet-groups.ts";
import { addHosts, noHosts } from "../PlanHosts/plan-hosts.ts";

/** With how many the page begins where nobody has chosen. */
const mostAtFirst = 5;

/** Those that a page without a choice begins with: the first that are connected, or the first at all. */
export function firstNodes(nodes: readonly Node[]): readonly string[] {
  const live = nodes.filter(({ state }) => state !== "revoked").toSorted((a, b) => compareNames(a.name, b.name));
  const online = live.filter(({ state }) => state === "online");
  return (online.length > 0 ? online : live).slice(0, mostAtFirst).map(({ id }) => id);
}

export type ChosenNodes = { readonly nodes: readonly string[]; readonly leftOut: number } | { readonly wrong: string };

/** The name of a node, or a tag for its first nodes. As many as there is room for; the others are counted. */
export function chooseNodes(
  nodes: readonly Node[],
  chosen: readonly string[],
  typed: string,
  most: number,
): ChosenNodes {
  const found = addHosts(nodes, noHosts, typed);
  if ("wrong" in found) return { wrong: found.wrong.replaceAll("host", "node") };
  const { nodes: named, tags } = found.choice;
  const tagged = nodes
    .filter((node) => node.state !== "revoked" && node.tags.some((tag) => tags.includes(tag)))
    .toSorted((a, b) => compareNames(a.name, b.name));
  const all = [...new Set([...chosen, ...named, ...tagged.map(({ id }) => id)])];
  return { nodes: all.slice(0, most), leftOut: Math.max(0, all.length - most) };
}

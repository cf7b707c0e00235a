import type { Node } from "@gatehouse/contract/routes";
import { countStandings, type StandingCounts, standingOf } from "./standing.ts";

export interface FleetGroup {
  /** `null` for nodes without a tag. */
  readonly tag: string | null;
  readonly size: number;
  readonly counts: StandingCounts;
}

/** Up to here every node has a mark of its own; above it the eye needs counts. */
export const mostMarks = 300;

/** By the first tag of each, so that every node is counted once. The groups with trouble come first, then the largest. */
export function groupNodes(nodes: readonly Node[]): readonly FleetGroup[] {
  const groups = new Map<string | null, Node[]>();
  for (const node of nodes) {
    const tag = node.tags[0] ?? null;
    const group = groups.get(tag);
    if (group === undefined) groups.set(tag, [node]);
    else group.push(node);
  }
  return [...groups]
    .map(([tag, members]) => ({ tag, size: members.length, counts: countStandings(members) }))
    .sort((a, b) => troubles(b) - troubles(a) || b.size - a.size || (a.tag ?? "~").localeCompare(b.tag ?? "~", "en"));
}

function troubles({ counts }: FleetGroup): number {
  return counts.offline + counts.rival + counts.alerted;
}

/** In the order of names, so that a host keeps its place when its state changes. */
export function inPlace(nodes: readonly Node[]): readonly Node[] {
  return nodes
    .filter((node) => standingOf(node) !== "revoked")
    .sort((a, b) => compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1));
}

const names = new Intl.Collator("en", { numeric: true });
export const compareNames = (a: string, b: string): number => names.compare(a, b);

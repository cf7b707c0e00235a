import type { Node } from "@gatehouse/contract/routes";
import { sortNodes } from "../../widgets/Fleet/node-filter.ts";
import { standingOf, type Standing } from "../../widgets/Fleet/standing.ts";

const groups = [
  { title: "Need a look", standings: ["rival", "offline", "alerted", "drifted"] },
  { title: "Not heard yet", standings: ["unheard"] },
  { title: "The rest", standings: ["healthy", "watched", "revoked"] },
] as const satisfies readonly { readonly title: string; readonly standings: readonly Standing[] }[];

export interface NodeGroup {
  readonly title: (typeof groups)[number]["title"];
  readonly nodes: readonly Node[];
}

/** What needs somebody first, then who has not come back yet, then the rest by name; only groups that hold somebody. */
export function groupByNeed(nodes: readonly Node[]): readonly NodeGroup[] {
  const sorted = sortNodes(nodes, undefined);
  const byName = sortNodes(nodes, { column: "name", down: false });
  return groups
    .map(({ title, standings }) => {
      const isOf = (node: Node): boolean => standings.some((one) => one === standingOf(node));
      return { title, nodes: (title === "The rest" ? byName : sorted).filter(isOf) };
    })
    .filter(({ nodes: some }) => some.length > 0);
}

/** Who was revoked is on no map, unless somebody asks for exactly those: as on the overview, a mark is a host that belongs here. */
export function ofFleet(nodes: readonly Node[], state: string | undefined): readonly Node[] {
  return state === "revoked" ? nodes : nodes.filter((node) => standingOf(node) !== "revoked");
}

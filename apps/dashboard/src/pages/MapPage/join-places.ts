import type { Placeless } from "@gatehouse/contract";
import type { Node, NodePlace } from "@gatehouse/contract/routes";
import { type Point, type Spot, unitOf } from "../../ui/world/mercator.ts";
import { filterNodes } from "../../widgets/Fleet/node-filter.ts";

/** Where some hosts are: those of one site share a point, and no zoom would part them. */
export interface Site extends Spot {
  readonly key: string;
  /** In the world, whose sides are 1. */
  readonly unit: Point;
  readonly label: string | null;
  readonly nodes: readonly Node[];
}

export interface PlacelessNode {
  readonly node: Node;
  readonly why: Placeless;
}

export interface JoinedPlaces {
  readonly sites: readonly Site[];
  readonly placeless: readonly PlacelessNode[];
  readonly byHand: number;
  readonly byLookup: number;
}

/** Nodes at their places, the largest site first. A node that was enrolled after the places were read is still waiting for its own. */
export function joinPlaces(nodes: readonly Node[], places: readonly NodePlace[]): JoinedPlaces {
  const known = new Map(places.map((one) => [one.node, one]));
  const sites = new Map<string, { place: NonNullable<NodePlace["place"]>; nodes: Node[] }>();
  const placeless: PlacelessNode[] = [];
  const counts = { hand: 0, lookup: 0 };
  for (const node of nodes) {
    const { place = null, why = null } = known.get(node.id) ?? {};
    if (place === null) {
      placeless.push({ node, why: why ?? "waiting" });
      continue;
    }
    counts[place.from] += 1;
    const key = siteKey(place);
    const site = sites.get(key);
    if (site === undefined) sites.set(key, { place, nodes: [node] });
    else site.nodes.push(node);
  }
  return {
    sites: [...sites].map(([key, { place, nodes: here }]) => siteOf(key, place, here)).sort(byLargest),
    placeless,
    byHand: counts.hand,
    byLookup: counts.lookup,
  };
}

/** To eleven metres, as finely as a place is known. */
export function siteKey({ longitude, latitude }: Spot): string {
  return `${latitude.toFixed(4)},${longitude.toFixed(4)}`;
}

function siteOf(key: string, place: NonNullable<NodePlace["place"]>, nodes: readonly Node[]): Site {
  const { longitude, latitude, label } = place;
  return { key, longitude, latitude, label, unit: unitOf(place), nodes };
}

const byLargest = (a: Site, b: Site): number => b.nodes.length - a.nodes.length || (a.key < b.key ? -1 : 1);

/** Of what was joined, only who is in that state. */
export function inState(
  { sites, placeless }: Pick<JoinedPlaces, "sites" | "placeless">,
  state: string | undefined,
): Pick<JoinedPlaces, "sites" | "placeless"> {
  if (state === undefined) return { sites, placeless };
  const isIn = (some: readonly Node[]): readonly Node[] => filterNodes(some, { state });
  return {
    sites: sites
      .map((site) => ({ ...site, nodes: isIn(site.nodes) }))
      .filter(({ nodes }) => nodes.length > 0)
      .sort(byLargest),
    placeless: placeless.filter(({ node }) => isIn([node]).length > 0),
  };
}

import type { Node, NodePlace } from "@gatehouse/contract/routes";
import { sampleNode } from "../../widgets/Fleet/sample-node.ts";
import { joinPlaces, type Site } from "./join-places.ts";

type Changes = Parameters<typeof sampleNode>[0];

export const towns = {
  frankfurt: { latitude: 50.11, longitude: 8.68, label: "fra1" },
  offenbach: { latitude: 50.1, longitude: 8.77, label: "fra2" },
  newYork: { latitude: 40.71, longitude: -74, label: "nyc3" },
  sydney: { latitude: -33.87, longitude: 151.2, label: "syd1" },
} as const;

export function placeOf(node: string, town: keyof typeof towns, from: "hand" | "lookup" = "lookup"): NodePlace {
  return { node, place: { ...towns[town], from }, why: null };
}

/** So many nodes in a town; what is said of one is said of the first. */
export function nodesIn(town: keyof typeof towns, count: number, first: Changes = {}): Node[] {
  return Array.from({ length: count }, (_none, at) =>
    sampleNode({
      mode: "managed",
      id: `node_${town}${at}`,
      name: `${towns[town].label}-${at}`,
      ...(at === 0 && first),
    }),
  );
}

export function sitesOf(counts: Partial<Record<keyof typeof towns, number>>, first: Changes = {}): readonly Site[] {
  const all = Object.entries(counts) as [keyof typeof towns, number][];
  const nodes = all.map(([town, count]) => [town, nodesIn(town, count, first)] as const);
  return joinPlaces(
    nodes.flatMap(([, some]) => some),
    nodes.flatMap(([town, some]) => some.map(({ id }) => placeOf(id, town))),
  ).sites;
}

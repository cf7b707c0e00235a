import type { HandPlace, Placeless } from "@gatehouse/contract";
import type { Node, NodePlace } from "@gatehouse/contract/routes";
import { chooseAddress } from "./choose-address.ts";
import type { KnownPlaces } from "./known-places.ts";
import type { Lookup } from "./open-lookup.ts";

/** What decides where a node is shown. */
export type PlacedNode = Pick<Node, "id" | "place" | "address" | "facts">;

export interface Looking {
  readonly places: Pick<KnownPlaces, "find">;
  readonly lookup: Pick<Lookup, "want" | "hasFailed">;
}

/** Where each node is. A place by hand comes first and is never looked up (contract 5.1); what is not known yet is wanted from now on. */
export async function viewPlaces(nodes: readonly PlacedNode[], looking: Looking | undefined): Promise<NodePlace[]> {
  if (looking === undefined) return nodes.map((node) => viewByHand(node) ?? without(node, "off"));
  const judged = nodes.map((node) => ({ node, shown: viewByHand(node) ?? chooseAddress(node) }));
  const known = await looking.places.find(unique(judged.map(({ shown }) => shown)));
  return judged.map(({ node, shown }) => {
    if ("node" in shown) return shown;
    if ("why" in shown) return without(node, shown.why);
    const place = known.get(shown.address);
    if (place !== undefined) return place === null ? without(node, "unfound") : viewPlace(node, place, "lookup");
    looking.lookup.want(shown.address, node.id);
    return without(node, looking.lookup.hasFailed(shown.address) ? "failed" : "waiting");
  });
}

/** The addresses by which these nodes are looked up, each once. */
export function addressesOf(nodes: readonly PlacedNode[]): string[] {
  return unique(nodes.filter(({ place }) => place === null).map(chooseAddress));
}

function unique(all: readonly object[]): string[] {
  const found = all.flatMap((one) => ("address" in one && typeof one.address === "string" ? [one.address] : []));
  return [...new Set(found)];
}

function viewByHand(node: PlacedNode): NodePlace | undefined {
  return node.place === null ? undefined : viewPlace(node, node.place, "hand");
}

function viewPlace({ id }: PlacedNode, place: HandPlace, from: "hand" | "lookup"): NodePlace {
  return { node: id, place: { ...place, from }, why: null };
}

function without({ id }: PlacedNode, why: Placeless): NodePlace {
  return { node: id, place: null, why };
}

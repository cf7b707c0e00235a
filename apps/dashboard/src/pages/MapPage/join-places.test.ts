import { expect, test } from "vitest";
import { sampleNode } from "../../widgets/Fleet/sample-node.ts";
import { inState, joinPlaces } from "./join-places.ts";
import { nodesIn, placeOf } from "./sample-place.ts";

test("hosts of one place are one site, the largest first, and say how their places are known", () => {
  const nodes = [...nodesIn("sydney", 1), ...nodesIn("frankfurt", 2)];
  const joined = joinPlaces(nodes, [
    placeOf("node_sydney0", "sydney", "hand"),
    placeOf("node_frankfurt0", "frankfurt"),
    placeOf("node_frankfurt1", "frankfurt"),
  ]);
  expect(joined.sites.map(({ label, nodes: here }) => [label, here.length])).toEqual([
    ["fra1", 2],
    ["syd1", 1],
  ]);
  expect([joined.byHand, joined.byLookup, joined.placeless]).toEqual([1, 2, []]);
});

test("a node without a place says why; one that is newer than the places is waiting; a place of a node that is gone is nothing", () => {
  const [hidden, fresh] = [sampleNode({ id: "node_hidden" }), sampleNode({ id: "node_fresh" })];
  const places = [{ node: "node_hidden", place: null, why: "private" } as const, placeOf("node_gone", "sydney")];
  const { sites, placeless } = joinPlaces([hidden, fresh], places);
  expect(sites).toEqual([]);
  expect(placeless.map(({ node, why }) => [node.id, why])).toEqual([
    ["node_hidden", "private"],
    ["node_fresh", "waiting"],
  ]);
});

test("a state leaves those that are in it, on the map and among those without a place", () => {
  const nodes = [
    ...nodesIn("frankfurt", 2),
    ...nodesIn("sydney", 3, { state: "offline" }),
    sampleNode({ id: "hidden" }),
  ];
  const places = nodes.slice(0, 5).map(({ id }, at) => placeOf(id, at < 2 ? "frankfurt" : "sydney"));
  const joined = joinPlaces(nodes, places);
  const of = (state?: string) => {
    const { sites, placeless } = inState(joined, state);
    return [sites.map(({ label, nodes: here }) => [label, here.length]), placeless.length];
  };
  expect(of()).toEqual([
    [
      ["syd1", 3],
      ["fra1", 2],
    ],
    1,
  ]);
  expect(of("offline")).toEqual([[["syd1", 1]], 0]);
  expect(of("watched")).toEqual([[], 1]);
});

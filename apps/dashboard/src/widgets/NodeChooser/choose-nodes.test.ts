import { expect, test } from "vitest";
import { sampleNode } from "../Fleet/sample-node.ts";
import { chooseNodes, firstNodes } from "./choose-nodes.ts";

const fleet = Array.from({ length: 20 }, (_, at) =>
  sampleNode({ id: `node_${at}`, name: `web-${at}`, tags: at % 2 === 0 ? ["edge"] : ["inner", "all"] }),
);

test("the page begins with the first nodes that are connected, by name", () => {
  const away = [sampleNode({ id: "node_x", name: "aaa", state: "offline" })];
  expect(firstNodes([...away, ...fleet.toReversed()])).toEqual(["node_0", "node_1", "node_2", "node_3", "node_4"]);
  expect(firstNodes([...away, sampleNode({ name: "gone", state: "revoked" })])).toEqual(["node_x"]);
  expect(firstNodes([])).toEqual([]);
});

test("a name adds its node, a tag as many of its nodes as there is room for", () => {
  expect(chooseNodes(fleet, ["node_1"], "web-7", 12)).toEqual({ nodes: ["node_1", "node_7"], leftOut: 0 });
  expect(chooseNodes(fleet, ["node_7"], "web-7", 12)).toEqual({ nodes: ["node_7"], leftOut: 0 });
  const both = chooseNodes(fleet, ["node_1", "node_3", "node_5"], "tag edge", 12);
  expect(both).toMatchObject({ leftOut: 1 });
  expect("nodes" in both && both.nodes.slice(0, 5)).toEqual(["node_1", "node_3", "node_5", "node_0", "node_2"]);
});

test("what is neither is said to be neither", () => {
  expect(chooseNodes(fleet, [], "nobody", 12)).toEqual({ wrong: "No node has the name or the tag nobody." });
});

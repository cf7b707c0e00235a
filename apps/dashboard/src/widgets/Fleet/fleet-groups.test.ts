import { expect, test } from "vitest";
import { groupNodes, inPlace } from "./fleet-groups.ts";
import { nodesHref } from "./nodes-href.ts";
import { sampleNode } from "./sample-node.ts";

test("every node is in the group of its first tag, and groups with trouble come first", () => {
  const nodes = [
    sampleNode({ tags: ["web", "edge"] }),
    sampleNode({ tags: ["web"] }),
    sampleNode({ tags: ["db"], state: "offline" }),
    sampleNode({ tags: [] }),
  ];
  expect(groupNodes(nodes).map(({ tag, size }) => [tag, size])).toEqual([
    ["db", 1],
    ["web", 2],
    [null, 1],
  ]);
});

test("marks stand in the order of names, numbers by their value, without nodes that were revoked", () => {
  const named = (name: string) => sampleNode({ name });
  const placed = inPlace([named("web-10"), named("web-9"), sampleNode({ name: "web-1", state: "revoked" })]);
  expect(placed.map(({ name }) => name)).toEqual(["web-9", "web-10"]);
});

test("a version that looks like a number is said as text", () => {
  expect(nodesHref({})).toBe("/nodes");
  expect(nodesHref({ state: "offline", version: "0.2" })).toBe("/nodes?state=offline&version=%220.2%22");
  expect(nodesHref({ tag: "a&b" })).toBe("/nodes?tag=a%26b");
});

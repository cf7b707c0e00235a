import { expect, test } from "vitest";
import { sampleNode } from "../../widgets/Fleet/sample-node.ts";
import { groupByNeed, ofFleet } from "./order-nodes.ts";

const rival = { address: "192.0.2.9", at: "2026-11-17T03:00:00.000Z" };
const nodes = [
  sampleNode({ name: "web-10", mode: "monitor" }),
  sampleNode({ name: "web-9", mode: "managed" }),
  sampleNode({ name: "db-1", state: "offline" }),
  sampleNode({ name: "db-2", rival }),
  sampleNode({ name: "new-1", state: "unknown" }),
  sampleNode({ name: "old-1", state: "revoked" }),
];

test("what needs a look comes first, who was not heard yet is no trouble, and the rest is by name", () => {
  const said = groupByNeed(ofFleet(nodes, undefined)).map(({ title, nodes: some }) => [
    title,
    some.map(({ name }) => name),
  ]);
  expect(said).toEqual([
    ["Need a look", ["db-2", "db-1"]],
    ["Not heard yet", ["new-1"]],
    ["The rest", ["web-9", "web-10"]],
  ]);
  expect(groupByNeed([])).toEqual([]);
});

test("who was revoked is on the map only for who asks for those", () => {
  expect(ofFleet(nodes, "revoked")).toHaveLength(6);
  expect(ofFleet(nodes, "offline")).toHaveLength(5);
});

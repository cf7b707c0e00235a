import { expect, test } from "vitest";
import { pickNode } from "./find-node.ts";

const nodes = [
  { id: "node_aaaaaaaaaaaaaaaaaaaaaa1234", name: "web-1" },
  { id: "node_bbbbbbbbbbbbbbbbbbbbbb1234", name: "web-2" },
  { id: "node_cccccccccccccccccccccc5678", name: "web-2" },
  { id: "node_dddddddddddddddddddddd9999", name: "5678" },
];

test.each([
  ["its name", "web-1", 0],
  ["as many of its last digits as no other has", "b1234", 1],
  ["all its digits but one", "ccccccccccccccccccccc5678", 2],
])("a node is found by %s", (_, named, index) => {
  expect(pickNode(nodes, named)).toBe(nodes[index]);
});

test.each([
  ["a name that two have", "web-2"],
  ["last digits that two have", "1234"],
  ["what one has as a name and another as its digits", "5678"],
])("%s names neither", (_, named) => {
  expect(() => pickNode(nodes, named)).toThrow(expect.objectContaining({ code: "cli.node_ambiguous" }));
});

test.each([
  ["digits that are too few", "234"],
  ["the beginning of an id", "aaaaaa"],
  ["a name in other letters", "WEB-1"],
])("%s: no node is meant", (_, named) => {
  expect(() => pickNode(nodes, named)).toThrow(expect.objectContaining({ code: "node.unknown" }));
});

import { expect, test } from "vitest";
import { nodeCount } from "./node-count.ts";

test("one node is a node, and a thousand can be read", () => {
  expect([nodeCount(["a"]), nodeCount(["a", "b"]), nodeCount(Array.from({ length: 1_000 }, String))]).toEqual([
    "1 node",
    "2 nodes",
    "1,000 nodes",
  ]);
});

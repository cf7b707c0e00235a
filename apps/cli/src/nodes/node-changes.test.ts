import { expect, test } from "vitest";
import { sampleNode } from "../../test/sample-node.ts";
import { nodeChanges } from "./node-changes.ts";

const idOf = (last: string) => `node_${"0".repeat(25)}${last}`;
const news = (...looks: Parameters<typeof nodeChanges>) =>
  nodeChanges(...looks).map(({ kind, node, words }) => `${node.id.slice(-1)} ${kind} ${words}`);

test("a fleet that is as it was is no news, whenever somebody was heard", () => {
  const before = sampleNode();
  expect(news([before], [{ ...before, lastSeenAt: "2026-11-16T03:13:30.000Z", clockSkewMs: -20 }])).toEqual([]);
});

test("who was enrolled and who was removed, in the order of ids", () => {
  const nodeOf = (last: string) => sampleNode({ id: idOf(last) });
  expect(news([nodeOf("2"), nodeOf("3")], [nodeOf("1"), nodeOf("3")])).toEqual([
    "1 enrolled Enrolled from web-1; Watched",
    "2 removed Removed",
  ]);
});

test.each([
  ["state Offline", { state: "offline" }],
  ["state Watched; it was away for a moment", { since: "2026-11-16T03:12:00.000Z" }],
  ["state Clock 1 min 0 s off", { clockSkewMs: 60_000 }],
  ["name Renamed; it was web-1", { name: "shop" }],
  ["tags Tags: none", { tags: [] }],
  ["agent Agent 1.1.0", { facts: { agentVersion: "1.1.0" } }],
  ["ceiling Ceiling monitor", { facts: { ceilingDigest: "d".repeat(64) } }],
] as const)("what changed: %s", (expected, changes) => {
  const after = sampleNode(changes as Parameters<typeof sampleNode>[0]);
  expect(news([sampleNode()], [after])).toEqual([`1 ${expected}`]);
});

test("a clock that drifts further is told once", () => {
  expect(news([sampleNode({ clockSkewMs: 60_000 })], [sampleNode({ clockSkewMs: 61_000 })])).toEqual([]);
});

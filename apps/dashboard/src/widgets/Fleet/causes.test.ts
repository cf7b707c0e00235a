import { expect, test } from "vitest";
import { sampleAlert } from "../Alerts/sample-alert.ts";
import { withCauses } from "./causes.ts";
import { sampleNode } from "./sample-node.ts";

const node = sampleNode();
const other = sampleNode({ id: "node_other" });
const ofNode = { node: node.id };
const memory = { ...ofNode, condition: "Memory over 95 % for 10 min", value: 97.21 };

test("a node says its first open alert, and how many more there are", () => {
  expect(withCauses([node, other], [sampleAlert(ofNode)])).toEqual([{ ...node, cause: "Disk 94 %" }, other]);
  const two = [sampleAlert(memory), sampleAlert(ofNode)];
  expect(withCauses([node], two)[0]?.cause).toBe("Memory 97.2 % and 1 more");
});

test("what somebody looks after, what is silenced and that it is offline are no cause", () => {
  const quiet = [
    sampleAlert({ ...ofNode, acknowledged: { by: "usr_1", name: "ruth", at: "2026-11-17T03:01:00.000Z", note: null } }),
    sampleAlert({ ...ofNode, silencedUntil: "2026-11-17T06:00:00.000Z" }),
    sampleAlert({ ...ofNode, kind: "offline", condition: "Offline for 2 min", value: null, unit: null }),
  ];
  const nodes = [node, other];
  expect(withCauses(nodes, quiet)).toBe(nodes);
});

import type { PlanNode, PlanQuestion } from "@gatehouse/contract/broker";
import { planQuestion } from "@gatehouse/contract/broker";
import { expect, test } from "vitest";
import { readQuestion } from "./read-question.ts";

const id = (number: number) => `node_${String(number).padStart(26, "0")}`;
const node = (number: number, more: Partial<PlanNode> = {}): PlanNode => ({
  id: id(number),
  name: `web-${number}`,
  tags: ["web", "berlin"],
  addresses: ["2001:db8::1", "192.0.2.1"],
  states: [],
  ...more,
});
const states = [
  { subject: "service:a.service", state: "absent" as const },
  { subject: "file:/etc/motd", state: "c0".repeat(32) },
];
const keyed = (letter: string) => [
  { subject: "wireguard:wg0", state: "c0".repeat(32), publicKey: `${letter.repeat(42)}A=` },
];
const plan = (input: PlanQuestion["input"], ...nodes: readonly PlanNode[]) =>
  readQuestion({ action: "plan", input, nodes });

test("a question for a plan has one spelling, whatever the order in which nodes and states came", () => {
  const { params, inputSha256 } = plan({ a: 1 }, node(2), node(1, { states }));
  expect(planQuestion.parse(params)).toEqual(params);
  expect(params.nodes).toMatchObject([
    {
      id: id(1),
      tags: ["berlin", "web"],
      addresses: ["192.0.2.1", "2001:db8::1"],
      states: [{ subject: "file:/etc/motd" }, { subject: "service:a.service" }],
    },
    { id: id(2) },
  ]);
  const other = plan({ a: 1 }, node(1, { states: states.toReversed(), tags: ["berlin", "web"] }), node(2));
  expect(other).toEqual({ params, inputSha256 });
});

test("everything that a plan may depend on is in the digest of its question", () => {
  const digests = [
    plan({ a: 1 }, node(1)),
    plan({ a: 2 }, node(1)),
    plan({ a: 1 }),
    plan({ a: 1 }, node(1, { name: "web-2" })),
    plan({ a: 1 }, node(1, { tags: [] })),
    plan({ a: 1 }, node(1, { addresses: [] })),
    plan({ a: 1 }, node(1, { states })),
    plan({ a: 1 }, node(1, { states: states.slice(1) })),
    plan({ a: 1 }, node(1, { states: keyed("a") })),
    plan({ a: 1 }, node(1, { states: keyed("b") })),
  ].map(({ inputSha256 }) => inputSha256);
  expect(new Set(digests).size).toBe(digests.length);
});

test("a plugin is told of a node what the question names, and nothing that a node may have beside it", () => {
  const { params } = plan(null, { ...node(1), notes: "secret" } as PlanNode);
  expect(JSON.stringify(params)).not.toContain("secret");
});

test("an input has a mebibyte, and the whole question as much as a plan", () => {
  const large = { addresses: Array.from({ length: 64 }, (_, at) => `${at}`.padStart(64, "0")) };
  expect(() => plan("x".repeat(1024 * 1024 - 2))).not.toThrow();
  expect(() => plan("x".repeat(1024 * 1024 - 1))).toThrow(/the input has 1048577 bytes/);
  const nodes = Array.from({ length: 4_000 }, (_, at) => node(at, large));
  expect(() => plan(1, ...nodes.slice(0, 3_600))).not.toThrow();
  expect(() => plan(1, ...nodes)).toThrow(/the question with its nodes has \d+ bytes, and 16777216 are allowed/);
});

test("what is for plans is for no other action, and a plan needs an input", () => {
  expect(readQuestion({ action: "health", input: undefined })).toEqual({ params: {}, inputSha256: undefined });
  expect(() => readQuestion({ action: "health", input: 1 })).toThrow(/: input: is for the action plan/);
  expect(() => readQuestion({ action: "describe", input: undefined, nodes: [] })).toThrow(
    /: nodes: is for the action plan/,
  );
  expect(() => readQuestion({ action: "plan", input: undefined, nodes: [] })).toThrow(/: input: must be there/);
  expect(() => plan({ a: 0.5 })).toThrow(/: input: has no byte form/);
});

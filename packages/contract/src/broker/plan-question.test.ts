import { expect, test } from "vitest";
import { planNode, planQuestion, planQuestionLimits } from "./plan-question.ts";

const id = (number: number) => `node_${String(number).padStart(26, "0")}`;
const node = (number: number, more: object = {}) => ({
  id: id(number),
  name: "web-1",
  tags: ["web"],
  addresses: ["192.0.2.1", "2001:db8::1"],
  states: [{ subject: "file:/etc/motd", state: "absent" }],
  ...more,
});
const states = (...subjects: readonly string[]) => ({
  states: subjects.map((subject) => ({ subject, state: "c0".repeat(32) })),
});
const list = (length: number, make: (index: number) => unknown) => Array.from({ length }, (_, index) => make(index));

test("a question has an input and its nodes, and no other field at any depth", () => {
  expect(planQuestion.safeParse({ input: null, nodes: [] }).success).toBe(true);
  expect(planQuestion.safeParse({ input: { a: 1 }, nodes: [node(1), node(2)] }).success).toBe(true);
  for (const wrong of [
    { nodes: [] },
    { input: 1 },
    { input: 1, nodes: [], more: 1 },
    { input: 1, nodes: [node(1, { notes: "" })] },
    { input: 1, nodes: [node(1, { states: [{ subject: "file:/a", state: "absent", more: 1 }] })] },
  ]) {
    expect(planQuestion.safeParse(wrong).success).toBe(false);
  }
});

test("the same nodes have one spelling: sorted by id and by subject, each once", () => {
  const asked = (...nodes: unknown[]) => planQuestion.safeParse({ input: 1, nodes }).success;
  expect(asked(node(2), node(1))).toBe(false);
  expect(asked(node(1), node(1))).toBe(false);
  expect(planNode.safeParse(node(1, states("file:/a", "file:/b"))).success).toBe(true);
  expect(planNode.safeParse(node(1, states("file:/b", "file:/a"))).success).toBe(false);
  expect(planNode.safeParse(node(1, states("file:/a", "file:/a"))).success).toBe(false);
});

test("a state is what a host said, by its digest, or that there is none", () => {
  const isTaken = (state: unknown) => planNode.safeParse(node(1, { states: [{ subject: "file:/a", state }] })).success;
  expect(isTaken("absent")).toBe(true);
  expect(isTaken("0f".repeat(32))).toBe(true);
  for (const state of ["", "present", "0F".repeat(32), "0f".repeat(31), null, { sha256: "0f".repeat(32) }])
    expect(isTaken(state)).toBe(false);
  for (const subject of ["", "file:", "motd", "file:/a b", "FILE:/a", `file:${"a".repeat(521)}`])
    expect(planNode.safeParse(node(1, states(subject))).success).toBe(false);
});

test("a state may have the public key of its part, in the one spelling of base64; one without it stays what it was", () => {
  const told = (publicKey: unknown) => ({ subject: "wireguard:wg0", state: "0f".repeat(32), publicKey });
  const isTaken = (publicKey: unknown) => planNode.safeParse(node(1, { states: [told(publicKey)] })).success;
  const key = `${"a".repeat(42)}A=`;
  expect(isTaken(key)).toBe(true);
  for (const wrong of [null, "", undefined, key.slice(1), `${"a".repeat(42)}B=`, `${key}\n`, "a".repeat(44)])
    expect(isTaken(wrong)).toBe(false);
  const before = node(1, states("wireguard:wg0"));
  expect(planNode.parse(before)).toEqual(before);
});

test("a question names so many nodes, addresses and states, and no more", () => {
  const { nodes, addresses, addressCharacters } = planQuestionLimits;
  const asked = (count: number) => planQuestion.safeParse({ input: 1, nodes: list(count, (at) => node(at)) }).success;
  expect([asked(nodes), asked(nodes + 1)]).toEqual([true, false]);
  const told = (count: number, text = "192.0.2.1") =>
    planNode.safeParse(node(1, { addresses: list(count, () => text) })).success;
  expect([told(addresses), told(addresses + 1)]).toEqual([true, false]);
  expect(told(1, "a".repeat(addressCharacters + 1))).toBe(false);
  const known = (count: number) =>
    planNode.safeParse(node(1, states(...list(count, (at) => `file:/${String(at).padStart(3, "0")}`).map(String))))
      .success;
  expect([known(planQuestionLimits.states), known(planQuestionLimits.states + 1)]).toEqual([true, false]);
});

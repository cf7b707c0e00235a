import { expect, test } from "vitest";
import { countHosts, drawChain } from "./chain-drawing.ts";
import { heldHeads } from "./held-heads.ts";
import { sampleWitness } from "./sample-witness.ts";

const ends = { begins: 9_001, checked: 48_213, head: 48_217 };
const many = Array.from({ length: 196 }, (_, at) => sampleWitness(`host-${at}`));
const gru = sampleWitness("gru1-edge-02", { state: "behind", position: 47_000 });

test("many hosts at one head are one ring with a count, and a host alone is called by its name", () => {
  const { rings } = drawChain(ends, heldHeads([...many, gru]), 14);
  expect(rings.map(({ hosts, label }) => [hosts, label])).toEqual([
    [196, "196 hosts"],
    [1, "gru1-edge-02"],
  ]);
});

test("heads that would stand on each other are one ring, with all of their hosts", () => {
  const near = sampleWitness("near", { state: "behind", position: 48_216 });
  const { rings, end } = drawChain(ends, heldHeads([...many, near, gru]), 14);
  expect(rings.map(({ label }) => label)).toEqual(["197 hosts", "gru1-edge-02"]);
  expect(rings[0]?.x).toBe(end);
});

test("rings stand as far from each other as their names need, however many heads there are", () => {
  const heads = heldHeads(
    Array.from({ length: 500 }, (_, at) => sampleWitness(`h${at}`, { position: 48_217 - at * 60 })),
  );
  const { rings } = drawChain(ends, heads, 14);
  expect(rings.length).toBeLessThanOrEqual(7);
  for (const [at, { x }] of rings.entries()) expect((rings[at - 1]?.x ?? 200) - x).toBeGreaterThanOrEqual(14);
  expect(rings.reduce((sum, { hosts }) => sum + hosts, 0)).toBe(500);
});

test("everything stays on the line: a head that is newer than what was read, one that was pruned, and a log of one entry", () => {
  const heads = heldHeads([sampleWitness("newer", { position: 48_300 }), sampleWitness("pruned", { position: 7 })]);
  const { begin, end, rings } = drawChain(ends, heads, 14);
  expect([begin, rings[0]?.x, rings[1]?.x]).toEqual([8, end, 8]);
  const one = drawChain({ begins: 1, checked: 1, head: 1 }, heldHeads([sampleWitness("one", { position: 1 })]), 14);
  expect(one).toEqual({ begin: 0, checked: end, end, rings: [{ x: end, hosts: 1, label: "one" }] });
});

test("what is not walked yet is before the end, and what is new takes the more room", () => {
  const { checked, end } = drawChain(ends, [], 14);
  expect(checked).toBeGreaterThan(60);
  expect(end - checked).toBeGreaterThan(7);
  expect([countHosts(1), countHosts(1_234)]).toEqual(["1 host", "1,234 hosts"]);
});

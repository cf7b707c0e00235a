import { expect, test } from "vitest";
import { NodeFilter } from "./node-filter.ts";

const nodes = ["node_a", "node_b"];
const shown = (filter: NodeFilter) => filter.answer(({ has }) => nodes.filter((node) => has(node)));

test("an answer is made of the nodes that the caller may see", async () => {
  for (const [own, expected] of [
    [undefined, nodes],
    [new Set(["node_b", "node_z"]), ["node_b"]],
    [new Set<string>(), []],
  ] as const) {
    const filter = new NodeFilter(own);
    expect(filter.dataOf(await shown(filter))).toEqual(expected);
    expect(filter.dataOf(await filter.answer(({ isEvery }) => isEvery))).toBe(own === undefined);
  }
});

test("an answer may take its time, and what it throws goes on to the edge", async () => {
  const filter = new NodeFilter(undefined);
  expect(filter.dataOf(await filter.answer(() => Promise.resolve("later")))).toBe("later");
  await expect(filter.answer(() => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  await expect(
    filter.answer(() => {
      throw new Error("gone");
    }),
  ).rejects.toThrow("gone");
});

test("what needs every node is refused to whoever is limited to some", () => {
  expect(() => new NodeFilter(undefined).requireEvery()).not.toThrow();
  for (const own of [new Set(nodes), new Set<string>()]) {
    expect(() => new NodeFilter(own).requireEvery()).toThrow(expect.objectContaining({ code: "auth.node_limited" }));
  }
});

test("nothing is given away that this filter did not make: no plain data, no copy, no answer of another call", async () => {
  const filter = new NodeFilter(new Set(["node_a"]));
  const made = await shown(filter);
  const ofAnother = await shown(new NodeFilter(undefined));
  for (const given of [undefined, nodes, { items: nodes }, Object.create(made), structuredClone(made), ofAnother]) {
    expect(() => filter.dataOf(given)).toThrow();
  }
});

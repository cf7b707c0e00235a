import { isFault } from "@gatehouse/contract";
import type { NodeReach } from "@gatehouse/contract/routes";
import fc from "fast-check";
import { expect, test } from "vitest";
import { requireReach } from "./node-reach.ts";

function verdict(reach: NodeReach, own: readonly string[], params: Readonly<Record<string, unknown>> = {}): string {
  try {
    requireReach(reach, new Set(own), params);
    return "allowed";
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
}

test("what concerns every node is refused", () => {
  expect(verdict("every", ["a"])).toBe("auth.node_limited");
  expect(verdict("every", ["a"], { id: "a" })).toBe("auth.node_limited");
});

test("what names its node in the path is allowed for the credential's own nodes only", () => {
  const byId: NodeReach = { param: "id" };
  expect(verdict(byId, ["a", "b"], { id: "b" })).toBe("allowed");
  expect(verdict(byId, ["a", "b"], { id: "c" })).toBe("auth.node_limited");
  expect(verdict(byId, ["a", "b"], { other: "a" })).toBe("auth.node_limited");
  for (const id of [undefined, null, 1, ["a"], { a: 1 }])
    expect(verdict(byId, ["a"], { id })).toBe("auth.node_limited");
});

test("what is filtered by its handler, or speaks of no node, is allowed", () => {
  expect(verdict("filtered", ["a"])).toBe("allowed");
  expect(verdict({ none: "a test" }, ["a"])).toBe("allowed");
});

test("it agrees with the sentence of the product for every small case", () => {
  const names = ["a", "b", "c"];
  const reaches: readonly NodeReach[] = ["every", "filtered", { param: "id" }, { param: "node" }, { none: "a test" }];
  fc.assert(
    fc.property(
      fc.constantFrom(...reaches),
      fc.subarray(names),
      fc.record({ id: fc.constantFrom(...names), node: fc.constantFrom(...names) }),
      (reach, own, params) => {
        const namesOwn = typeof reach === "object" && "param" in reach && own.includes(params[reach.param as "id"]);
        const isAllowed = reach === "filtered" || (typeof reach === "object" && "none" in reach) || namesOwn;
        expect(verdict(reach, own, params) === "allowed").toBe(isAllowed);
      },
    ),
  );
});

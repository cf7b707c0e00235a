import { isFault, type Scope, scopeNames } from "@gatehouse/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { authorise, visibleNodes } from "./authorise.ts";

const holder = (scopes: readonly Scope[], nodes?: readonly string[]) => ({
  scopes: new Set(scopes),
  ...(nodes !== undefined && { nodes: new Set(nodes) }),
});

function verdict(act: () => void): string {
  try {
    act();
    return "allowed";
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
}

test("a scope that is not held is refused by its name", () => {
  expect(verdict(() => authorise(holder(["node:read"]), "node:admin", ["a"]))).toBe("auth.scope_missing");
  expect(() => authorise(holder([]), "plan:apply")).toThrow(/plan:apply/);
});

test("without a list of nodes every node is meant, named or not", () => {
  expect(verdict(() => authorise(holder(["node:admin"]), "node:admin"))).toBe("allowed");
  expect(verdict(() => authorise(holder(["node:admin"]), "node:admin", ["a", "b"]))).toBe("allowed");
});

test("a limited principal names nodes, and only its own", () => {
  const limited = holder(["node:admin"], ["a", "b"]);
  expect(verdict(() => authorise(limited, "node:admin", ["a"]))).toBe("allowed");
  expect(verdict(() => authorise(limited, "node:admin", ["b", "a"]))).toBe("allowed");
  expect(verdict(() => authorise(limited, "node:admin", ["a", "c"]))).toBe("auth.node_limited");
  expect(verdict(() => authorise(limited, "node:admin", []))).toBe("auth.node_limited");
  expect(verdict(() => authorise(limited, "node:admin"))).toBe("auth.node_limited");
});

test("a long list of foreign nodes is cut in the refusal", () => {
  const foreign = Array.from({ length: 50 }, (_, i) => `node${i}`);
  try {
    authorise(holder(["node:admin"], ["a"]), "node:admin", foreign);
    expect.unreachable();
  } catch (error) {
    expect(isFault(error) && error.fields["nodes"]).toHaveLength(10);
  }
});

test("a list shows what the principal may see and no more", () => {
  const items = [{ node: "a" }, { node: "b" }];
  const shown = (scopes: readonly Scope[], nodes?: readonly string[]) =>
    visibleNodes(holder(scopes, nodes), "node:read", items, (item) => item.node);
  expect(shown([])).toEqual([]);
  expect(shown(["node:read"])).toEqual(items);
  expect(shown(["node:read"], ["b", "z"])).toEqual([{ node: "b" }]);
});

test("it agrees with the sentence of the product for every small case", () => {
  const nodes = fc.subarray(["a", "b", "c"]);
  fc.assert(
    fc.property(
      fc.subarray([...scopeNames]),
      fc.constantFrom(...scopeNames),
      fc.option(nodes, { nil: undefined }),
      nodes,
      (scopes, scope, own, asked) => {
        const isAllowed =
          scopes.includes(scope) &&
          (own === undefined || (asked.length > 0 && asked.every((node) => own.includes(node))));
        expect(verdict(() => authorise(holder(scopes, own), scope, asked)) === "allowed").toBe(isAllowed);
      },
    ),
  );
});

import { expect, test } from "vitest";
import { scopeNames } from "./scopes.ts";
import { scopesOfTokenClass } from "./token-classes.ts";

test("an assistant reads and plans, and holds nothing that decides or changes", () => {
  expect([...scopesOfTokenClass("assistant")].sort()).toEqual([
    "audit:read",
    "log:read",
    "node:read",
    "plan:create",
    "plan:read",
    "plugin:invoke",
    "storage:read",
  ]);
});

test("automation may hold what its owner holds", () => {
  expect(scopesOfTokenClass("automation")).toEqual(scopeNames);
});

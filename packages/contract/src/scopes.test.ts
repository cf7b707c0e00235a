import { expect, test } from "vitest";
import { isScope, roles, scopeNames, scopes, scopesOfRole } from "./scopes.ts";

test("each role holds exactly the scopes of the product's table", () => {
  const everyone = ["node:read", "plan:read", "log:read"];
  const work = ["plugin:invoke", "plan:create", "plan:apply", "node:admin", "storage:read", "storage:write"];
  expect(scopesOfRole("viewer")).toEqual(everyone);
  expect(scopesOfRole("auditor")).toEqual([...everyone, "audit:read", "terminal:watch"]);
  expect(scopesOfRole("approver")).toEqual([...everyone, "audit:read", "terminal:watch", "plan:approve", "plan:stop"]);
  expect(scopesOfRole("operator")).toEqual([...everyone, "audit:read", ...work, "terminal:open", "plan:stop"]);
  expect(scopesOfRole("owner")).toEqual(scopeNames);
});

test("the owner holds every scope and nobody who opens a terminal also approves", () => {
  for (const role of roles.filter((name) => name !== "owner")) {
    const held = scopesOfRole(role);
    expect(held.includes("terminal:open") && held.includes("plan:approve")).toBe(false);
  }
});

test("every scope says in a sentence what it allows", () => {
  for (const scope of scopeNames) expect(scopes[scope].says).toMatch(/^[A-Z].*\.$/);
});

test("only names of the table are scopes", () => {
  expect(isScope("plugin:admin")).toBe(true);
  expect(isScope("toString")).toBe(false);
  expect(isScope("plugin:*")).toBe(false);
});

import { type Scope, scopesOfRole } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { defineKind, recordKinds } from "@gatehouse/contract/records";
import * as z from "zod";
import { audienceOf, type Listener, mayHear, mayHearSteps } from "./audience.ts";

function user(scopes: readonly Scope[], nodes?: readonly string[]): Listener {
  const isEvery = nodes === undefined;
  return { scopes: new Set(scopes), seen: { isEvery, has: (node) => isEvery || nodes.includes(node) } };
}

const nodeKind = defineKind({
  name: "node",
  says: "A host.",
  schema: z.strictObject({}),
  heardWith: "node:read",
  kept: "for ever",
});
const audience = audienceOf([...recordKinds, nodeKind]);
const hears = (listener: Listener, action: string, subject = "x/1") => mayHear(audience, listener, { action, subject });

test("whoever may read the audit log hears everything", () => {
  const auditor = user(scopesOfRole("auditor"));
  for (const action of ["node.enrolled", "user.created", "token.issued", "anything"])
    expect(hears(auditor, action)).toBe(true);
});

test("everybody else hears of a noun when they may read it, and of nothing that is not listed", () => {
  const viewer = user(scopesOfRole("viewer"));
  expect(hears(viewer, "node.enrolled")).toBe(true);
  for (const action of [
    "plugin.installed",
    "user.created",
    "session.opened",
    "backup.made",
    "toString.x",
    "",
    "nodes.x",
  ]) {
    expect(hears(viewer, action)).toBe(false);
  }
  expect(hears(user(["plugin:admin"]), "plugin.installed")).toBe(true);
  expect(hears(user([]), "node.enrolled")).toBe(false);
});

test("how far hosts are with a plan is told to whoever may read plans and see every node", () => {
  expect(mayHearSteps(user(scopesOfRole("viewer")))).toBe(true);
  expect(mayHearSteps(user(["node:read"]))).toBe(false);
  expect(mayHearSteps(user(["plan:read"], [`node_${"0".repeat(26)}`]))).toBe(false);
});

test("whoever may see only some nodes hears of those nodes only, also with the audit scope", () => {
  const [own, other] = [`node_${"0".repeat(25)}1`, `node_${"0".repeat(25)}2`];
  const limited = user(["audit:read", "node:read"], [own]);
  expect(hears(limited, "node.renamed", `node/${own}`)).toBe(true);
  expect(hears(limited, "node.renamed", `node/${other}`)).toBe(false);
  expect(hears(limited, "plan.approved", "plan/pln_1")).toBe(false);
  expect(hears(limited, "user.created", "user/usr_1")).toBe(false);
  expect(hears(user([], [own]), "node.renamed", `node/${own}`)).toBe(false);
});

import { expect, test } from "vitest";
import { subjectPlace } from "./subject-place.ts";

const owner = { scopes: ["plugin:admin", "user:admin"], session: "ses_1" } as const;
const auditor = { scopes: ["audit:read"], session: "ses_2" } as const;

test("a subject leads to its page for those who may open it", () => {
  expect(subjectPlace("plugin/netguard", owner).href).toBe("/plugins/netguard");
  expect(subjectPlace("user/usr_1", owner).href).toBe("/users?user=usr_1");
  expect(subjectPlace("plugin/netguard", auditor).href).toBeUndefined();
  expect(subjectPlace("node/node_1", { ...auditor, scopes: ["node:read"] }).href).toBe("/nodes/node_1");
  expect(subjectPlace("node/node_1", auditor).href).toBeUndefined();
  expect(subjectPlace("plan/plan_1", { ...auditor, scopes: ["plan:read"] }).href).toBe("/plans/plan_1");
  expect(subjectPlace("plan/plan_1", auditor).href).toBeUndefined();
  expect(subjectPlace("artifact/artifact_1", { ...auditor, scopes: ["plan:read"] }).href).toBe(
    "/artifacts?artifact=artifact_1",
  );
  expect(subjectPlace("alert-rule/disk", { ...auditor, scopes: ["node:read"] }).href).toBe("/alerts?rule=disk");
  expect(subjectPlace("alert-rule/disk", auditor).href).toBeUndefined();
  expect(subjectPlace("artifact/artifact_1", auditor).href).toBeUndefined();
});

test("of sessions only one's own has a page", () => {
  expect(subjectPlace("session/ses_1", owner).href).toBe("/settings/security");
  expect(subjectPlace("session/ses_1", auditor).href).toBeUndefined();
});

test("a subject without a kind is only words", () => {
  expect(subjectPlace("idempotency", owner)).toEqual({ kind: "", id: "idempotency", href: undefined });
});

test("a name cannot break out of the address", () => {
  expect(subjectPlace("plugin/../x?y", owner).href).toBe("/plugins/..%2Fx%3Fy");
});

import { planStates, type Scope, scopeNames } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { planRights } from "./plan-rights.ts";

const reader = (...scopes: Scope[]) => ({ id: "usr_me", scopes });
const mine = { author: "usr_me" };
const theirs = { author: "usr_other" };
const acts = (rights: ReturnType<typeof planRights>) => rights.filter(({ may }) => may).map(({ act }) => act);

test("nobody may approve in any state, whoever it is, and an open plan says why", () => {
  for (const state of planStates) {
    const rights = planRights({ ...mine, state }, reader(...scopeNames));
    expect(acts(rights)).not.toContain("approve");
  }
  expect(planRights({ ...mine, state: "in_review" }, reader())[0]?.says).toMatch(/^Nothing can be approved or applied/);
});

test("with a plan that has ended nothing can be done", () => {
  for (const state of ["done", "rejected", "expired"] as const) {
    expect(planRights({ ...mine, state }, reader(...scopeNames))).toEqual([]);
  }
});

test("a plan that passed the lint is offered by whoever may make plans, and one that it refuses by nobody", () => {
  expect(acts(planRights({ ...theirs, state: "linted" }, reader("plan:create")))).toEqual(["offer"]);
  expect(acts(planRights({ ...theirs, state: "linted" }, reader("plan:approve")))).toEqual([]);
  expect(acts(planRights({ ...theirs, state: "draft" }, reader("plan:create", "plan:approve")))).toEqual([]);
});

test("its author withdraws it, and whoever may approve rejects what is in review", () => {
  expect(acts(planRights({ ...mine, state: "in_review" }, reader("plan:create")))).toEqual(["withdraw"]);
  expect(acts(planRights({ ...theirs, state: "in_review" }, reader("plan:approve")))).toEqual(["reject"]);
  expect(acts(planRights({ ...mine, state: "running" }, reader("plan:create", "plan:approve")))).toEqual([]);
});

test("what one may not do names the scope that is missing", () => {
  const says = planRights({ ...mine, state: "in_review" }, reader()).map((right) => right.says);
  expect(says).toContain("You may not reject it: that needs plan:approve.");
  expect(says).toContain("You may not withdraw it: that needs plan:create.");
});

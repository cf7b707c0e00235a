import { planStates, type Scope, scopeNames } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { type PlanSituation, planRights } from "./plan-rights.ts";
import { sampleApproval } from "./sample-plan.ts";

const reader = (...scopes: Scope[]) => ({ id: "usr_me", scopes });
const rest = { approvals: [], awaiting: null };
const mine = { ...rest, author: "usr_me" };
const theirs = { ...rest, author: "usr_other" };
const usual: PlanSituation = {
  now: Date.parse("2026-11-17T04:00:00.000Z"),
  isStopped: false,
  selfApproval: undefined,
  hasServerHosts: false,
  hasApplied: false,
};
const withServer = { ...usual, hasServerHosts: true };
const acts = (rights: ReturnType<typeof planRights>) => rights.filter(({ may }) => may).map(({ act }) => act);
const says = (rights: ReturnType<typeof planRights>) => rights.map((right) => right.says);

test("a plan is approved while it is in review", () => {
  for (const state of planStates) {
    const may = acts(planRights({ ...theirs, state }, reader(...scopeNames), withServer));
    expect(may.includes("sign")).toBe(state === "in_review");
    expect(may.includes("approve")).toBe(state === "in_review");
  }
  expect(says(planRights({ ...theirs, state: "linted" }, reader(), usual))[0]).toMatch(/not in review/);
});

test("the button that approves stands only where a host takes this server's word", () => {
  expect(acts(planRights({ ...theirs, state: "in_review" }, reader("plan:approve"), usual))).toEqual([
    "sign",
    "reject",
  ]);
  expect(acts(planRights({ ...theirs, state: "in_review" }, reader("plan:approve"), withServer))).toEqual([
    "sign",
    "approve",
    "reject",
  ]);
});

test("an author approves only where an owner allowed it, and whoever cannot know is told so", () => {
  const plan = { ...mine, state: "in_review" } as const;
  const asked = (selfApproval: boolean | undefined) =>
    planRights(plan, reader("plan:approve"), { ...withServer, selfApproval });
  expect(acts(asked(true))).toEqual(["sign", "approve", "reject"]);
  expect(asked(false)[0]).toMatchObject({
    may: false,
    says: expect.stringMatching(/somebody else approves it\. Where one person/),
  });
  expect(asked(undefined)[0]).toMatchObject({ may: false, says: expect.stringMatching(/^You made it: somebody else/) });
});

test("while all plans are stopped nobody approves or applies, and the reason is said", () => {
  const stopped = { ...withServer, isStopped: true };
  const inReview = planRights({ ...theirs, state: "in_review" }, reader("plan:approve"), stopped);
  expect(acts(inReview)).toEqual(["reject"]);
  expect(says(inReview)).toContain("Nobody can approve it now: all plans are stopped.");
  const approved = planRights({ ...theirs, state: "approved" }, reader("plan:apply"), stopped);
  expect(says(approved)).toContain("Nobody can apply it now: all plans are stopped.");
});

test("whoever has approved is not asked again, until that approval has ended", () => {
  const approvals = [
    sampleApproval({ user: "usr_me" }),
    sampleApproval({ user: "usr_me", kind: "server", keyId: null, fingerprint: null }),
  ];
  const plan = { ...theirs, state: "in_review", approvals } as const;
  const given = planRights(plan, reader("plan:approve"), withServer);
  expect(acts(given)).toEqual(["reject"]);
  expect(says(given)).toEqual(expect.arrayContaining(["You have signed it."]));
  const later = { ...withServer, now: Date.parse("2026-11-17T05:00:00.000Z") };
  expect(acts(planRights(plan, reader("plan:approve"), later))).toEqual(["sign", "approve", "reject"]);
});

test("an approval that has ended before the plan was begun is asked for again", () => {
  const plan = { ...theirs, state: "approved" as const, approvals: [sampleApproval()], awaiting: 0 };
  expect(acts(planRights(plan, reader("plan:approve"), usual))).toEqual(["reject"]);
  const later = { ...usual, now: Date.parse("2026-11-17T05:00:00.000Z") };
  expect(acts(planRights(plan, reader("plan:approve"), later))).toEqual(["sign", "reject"]);
});

test("what is approved or halted is applied by whoever holds the scope", () => {
  for (const state of planStates) {
    const may = acts(planRights({ ...theirs, state }, reader("plan:apply"), usual)).includes("apply");
    expect(may).toBe(state === "approved" || state === "halted");
  }
  expect(says(planRights({ ...theirs, state: "halted" }, reader(), usual))).toEqual([
    "You may not go on with it: that needs plan:apply.",
  ]);
});

test.each([
  [null, "its hosts wait"],
  [1, "1 host waits"],
  [2, "2 hosts wait"],
])("a plan in review is applied by nobody, and says who waits (%s)", (awaiting, words) => {
  const rights = planRights({ ...theirs, state: "in_review", awaiting }, reader(...scopeNames), usual);
  expect(says(rights)).toContain(`Nobody can apply it yet: ${words} for approvals.`);
});

test("a plan is stopped while it runs, by whoever holds the scope", () => {
  for (const state of planStates) {
    const may = acts(planRights({ ...theirs, state }, reader("plan:stop"), usual)).includes("halt");
    expect(may).toBe(state === "running");
  }
  expect(says(planRights({ ...theirs, state: "running" }, reader(), usual))).toContain(
    "You may not stop it: that needs plan:stop.",
  );
});

test("what a host has kept is taken back once the plan is over or halted, by whoever may make plans", () => {
  const applied = { ...usual, hasApplied: true };
  for (const state of planStates) {
    const may = acts(planRights({ ...theirs, state }, reader("plan:create"), applied)).includes("undo");
    expect(may).toBe(state === "done" || state === "halted");
  }
  expect(says(planRights({ ...theirs, state: "done" }, reader(), applied))).toEqual([
    "You may not draw up the plan that takes it back: that needs plan:create.",
  ]);
});

test("with a plan that has ended and is kept by no host nothing can be done", () => {
  for (const state of ["done", "rejected", "expired"] as const) {
    expect(planRights({ ...mine, state }, reader(...scopeNames), usual)).toEqual([]);
  }
});

test("a plan that passed the lint is offered by whoever may make plans, and one that it refuses by nobody", () => {
  expect(acts(planRights({ ...theirs, state: "linted" }, reader("plan:create"), usual))).toEqual(["offer"]);
  expect(acts(planRights({ ...theirs, state: "linted" }, reader("plan:approve"), usual))).toEqual([]);
  expect(acts(planRights({ ...theirs, state: "draft" }, reader("plan:create", "plan:approve"), usual))).toEqual([]);
});

test("its author withdraws it, and whoever may approve rejects what is in review", () => {
  expect(acts(planRights({ ...mine, state: "in_review" }, reader("plan:create"), usual))).toEqual(["withdraw"]);
  expect(acts(planRights({ ...mine, state: "running" }, reader("plan:create", "plan:approve"), usual))).toEqual([]);
});

test("what one may not do names the scope that is missing", () => {
  const said = says(planRights({ ...mine, state: "in_review" }, reader(), usual));
  expect(said).toContain("You may not approve it: that needs plan:approve.");
  expect(said).toContain("You may not reject it: that needs plan:approve.");
  expect(said).toContain("You may not withdraw it: that needs plan:create.");
});

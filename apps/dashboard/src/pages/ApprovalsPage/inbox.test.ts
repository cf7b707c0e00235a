import { scopeNames, type Scope } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { sampleApproval, samplePlan } from "../../widgets/Plans/sample-plan.ts";
import { decidedAt, sortInbox, whyNotYours } from "./inbox.ts";

const now = Date.parse("2026-11-17T03:12:00.000Z");
const reader = (...scopes: Scope[]) => ({ id: "usr_me", scopes, now, isStopped: false });
const approver = reader("plan:read", "plan:approve");
const sorted = (sources: Partial<Parameters<typeof sortInbox>[0]>) =>
  sortInbox({ waiting: [], inReview: [], newest: [], ...sources }, approver);

test("what ends first stands first, and what waits for the reader is not shown twice", () => {
  const soon = samplePlan({ id: "plan_soon", expiresAt: "2026-11-17T04:00:00.000Z" });
  const late = samplePlan({ id: "plan_late" });
  const { mine, others } = sorted({ waiting: [late, soon], inReview: [late, soon, samplePlan({ id: "plan_other" })] });
  expect(mine.map(({ id }) => id)).toEqual(["plan_soon", "plan_late"]);
  expect(others.map(({ plan }) => plan.id)).toEqual(["plan_other"]);
});

test.each([
  ["the scope is missing", reader("plan:read"), {}, "You may not approve it:", " that needs plan:approve."],
  ["the reader made it", approver, { author: "usr_me" }, "You made it:", " somebody else approves it."],
  ["the reader has signed", approver, { approvals: [sampleApproval({ user: "usr_me" })] }, "You have signed it.", ""],
  [
    "the reader gave the word",
    approver,
    { approvals: [sampleApproval({ user: "usr_me", kind: "server", keyId: null, fingerprint: null })] },
    "You have approved it for hosts that trust this server.",
    "",
  ],
  ["plans are stopped", { ...approver, isStopped: true }, {}, "Nobody can approve it now:", " all plans are stopped."],
])("a plan that is not the reader's says why: %s", (_case, who, more, first, rest) => {
  expect(whyNotYours(samplePlan(more), who)).toEqual({ first, rest });
});

test("the reasons are those of the plan's own page, for every scope", () => {
  for (const scope of scopeNames) {
    const { first } = whyNotYours(samplePlan({ author: "usr_me" }), reader(scope));
    expect(first).toBe(scope === "plan:approve" ? "You made it:" : "You may not approve it:");
  }
});

test("what was decided within a day is told, the last decision first; what nobody was asked about is not", () => {
  const at = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
  const newest = [
    samplePlan({ id: "old", state: "rejected", stateAt: at(25) }),
    samplePlan({ id: "expired", state: "expired", stateAt: at(5) }),
    samplePlan({ id: "linted", state: "linted", stateAt: at(1) }),
    samplePlan({ id: "rejected", state: "rejected", stateAt: at(2) }),
    samplePlan({ id: "done", state: "done", stateAt: at(0), approvals: [sampleApproval({ at: at(3) })] }),
  ];
  expect(sorted({ newest }).decided.map(({ id }) => id)).toEqual(["rejected", "done", "expired"]);
});

test("a plan that ran was decided when it was approved", () => {
  const stateAt = "2026-11-17T04:06:00.000Z";
  expect(decidedAt(samplePlan({ state: "done", stateAt, approvals: [sampleApproval()] }))).toBe(sampleApproval().at);
  expect(decidedAt(samplePlan({ state: "rejected", stateAt, approvals: [sampleApproval()] }))).toBe(stateAt);
});

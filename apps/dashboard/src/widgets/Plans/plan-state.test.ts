import { planStates } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { findingWords, sayApprovals, sayPlanState } from "./plan-state.ts";

const open = { state: "in_review", author: "usr_1", movedBy: "usr_1", reason: null, replacedBy: null } as const;

test("every state has a shape and a word, and no two words are equal", () => {
  const words = planStates.map((state) => sayPlanState({ ...open, state, movedBy: "usr_2" }).word);
  expect(new Set(words).size).toBe(planStates.length);
});

test("a plan that its author took back is not called rejected", () => {
  expect(sayPlanState({ ...open, state: "rejected" }).word).toBe("Withdrawn");
  expect(sayPlanState({ ...open, state: "rejected", movedBy: "usr_2", reason: "not tonight" }).word).toBe("Rejected");
});

test("a plan that a person has halted is called stopped, and one that halted by itself is not", () => {
  expect(sayPlanState({ ...open, state: "halted", movedBy: "usr_2" })).toEqual({ state: "wait", word: "Stopped" });
  expect(sayPlanState({ ...open, state: "halted", movedBy: "system" })).toEqual({ state: "back", word: "Halted" });
});

test("a plan that another took the place of is not called expired", () => {
  expect(sayPlanState({ ...open, state: "expired", replacedBy: "plan_2" }).word).toBe("Replaced");
});

test("findings are counted in words; notes ask for nobody", () => {
  expect(findingWords({ refuse: 0, warn: 0 })).toBe("");
  expect(findingWords({ refuse: 1, warn: 2 })).toBe("1 refusal, 2 warnings");
});

test("approvals are counted, and hosts that wait for more are named while it is in review", () => {
  const approval = { id: "" } as Parameters<typeof sayApprovals>[0]["approvals"][number];
  const one = { approvals: [approval], awaiting: 2 };
  expect(sayApprovals({ approvals: [], awaiting: null, state: "in_review" })).toEqual({ count: "none", waits: "" });
  expect(sayApprovals({ ...one, state: "in_review" })).toEqual({ count: "1 given", waits: "2 hosts wait" });
  expect(sayApprovals({ ...one, awaiting: 1, state: "in_review" }).waits).toBe("1 host waits");
  expect(sayApprovals({ ...one, awaiting: 0, state: "approved" })).toEqual({ count: "1 given", waits: "" });
  expect(sayApprovals({ ...one, state: "rejected" }).waits).toBe("");
});

test("a plan that ended badly on a host is done, and does not look as if all were well", () => {
  const done = { ...open, state: "done" } as const;
  expect(sayPlanState({ ...done, ended: { applied: 2 } }).state).toBe("ok");
  expect(sayPlanState({ ...done, ended: { applied: 1, rolled_back: 1 } })).toEqual({ state: "back", word: "Done" });
  expect(sayPlanState({ ...done, ended: { refused: 2 } })).toEqual({ state: "warn", word: "Done" });
  expect(sayPlanState({ ...done, ended: { rolled_back: 1, failed_after_change: 1 } }).state).toBe("bad");
});

import { planStates } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { findingWords, sayPlanState } from "./plan-state.ts";

const open = { state: "in_review", author: "usr_1", movedBy: "usr_1", reason: null, replacedBy: null } as const;

test("every state has a shape and a word, and no two words are equal", () => {
  const words = planStates.map((state) => sayPlanState({ ...open, state, movedBy: "usr_2" }).word);
  expect(new Set(words).size).toBe(planStates.length);
});

test("a plan that its author took back is not called rejected", () => {
  expect(sayPlanState({ ...open, state: "rejected" }).word).toBe("Withdrawn");
  expect(sayPlanState({ ...open, state: "rejected", movedBy: "usr_2", reason: "not tonight" }).word).toBe("Rejected");
});

test("a plan that another took the place of is not called expired", () => {
  expect(sayPlanState({ ...open, state: "expired", replacedBy: "plan_2" }).word).toBe("Replaced");
});

test("findings are counted in words; notes ask for nobody", () => {
  expect(findingWords({ refuse: 0, warn: 0 })).toBe("");
  expect(findingWords({ refuse: 1, warn: 2 })).toBe("1 refusal, 2 warnings");
});

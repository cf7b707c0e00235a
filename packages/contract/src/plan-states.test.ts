import { expect, test } from "vitest";
import {
  isPlanEnd,
  mayPlanMove,
  planMoves,
  planStates,
  taskMoves,
  taskStanding,
  type TaskState,
  taskStates,
} from "./plan-states.ts";

test("every state of a plan is reached from a draft, and ends in done, rejected or expired", () => {
  const reached = new Set<string>(["draft"]);
  for (const from of reached) for (const to of planMoves[from as keyof typeof planMoves]) reached.add(to);
  expect([...reached].toSorted()).toEqual(planStates.toSorted());
  expect(planStates.filter(isPlanEnd)).toEqual(["done", "rejected", "expired"]);
});

test("no plan is approved that was not in review, and none runs that was not approved", () => {
  expect(planStates.filter((from) => mayPlanMove(from, "approved"))).toEqual(["in_review"]);
  expect(planStates.filter((from) => mayPlanMove(from, "running"))).toEqual(["approved", "halted"]);
});

test("every task begins in the queue, and a host that changed is never said to have failed before", () => {
  const reached = new Set<TaskState>(["queued"]);
  for (const from of reached) for (const to of taskMoves[from]) reached.add(to);
  expect([...reached].toSorted()).toEqual(taskStates.toSorted());
  for (const state of ["applying", "checking"] as const) {
    expect(taskMoves[state]).not.toContain("failed_before_change");
    expect(taskMoves[state]).not.toContain("refused");
  }
});

test("a task stands at the last step that its host told of, until it has ended; a step that came late takes nothing back", () => {
  expect(taskStanding("sent", { state: "armed" })).toBe("armed");
  expect(taskStanding("checking", { state: "armed" })).toBe("checking");
  expect(taskStanding("sent", null)).toBe("sent");
  expect(taskStanding("queued", { state: "armed" })).toBe("queued");
  expect(taskStanding("rolled_back", { state: "checking" })).toBe("rolled_back");
});

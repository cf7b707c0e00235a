import { isFault, type LifecycleState, lifecycleStates } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { judgeMove, movesFrom } from "./transitions.ts";

/** The rows of contract 3 that begin with a record. */
const rows = ["verified installed", "installed active", "installed disabled", "active disabled", "disabled active"];

function verdict(from: LifecycleState, to: LifecycleState, isAvailable: boolean): string {
  try {
    judgeMove("netguard", from, to, isAvailable);
    return "allowed";
  } catch (error) {
    return isFault(error) ? error.code : "a defect";
  }
}

const pairs = lifecycleStates.flatMap((from) => lifecycleStates.map((to) => [from, to] as const));

test.each(pairs)("from %s to %s: exactly the rows of contract 3 are moves", (from, to) => {
  const expected = rows.includes(`${from} ${to}`) ? "allowed" : "plugin.transition_rejected";
  expect(verdict(from, to, true)).toBe(expected);
});

test.each(pairs)("from %s to %s without a loaded bundle: only disabled may be asked for", (from, to) => {
  const isRow = rows.includes(`${from} ${to}`);
  const expected = !isRow ? "plugin.transition_rejected" : to === "disabled" ? "allowed" : "plugin.not_available";
  expect(verdict(from, to, false)).toBe(expected);
});

test("a refusal names the two states and the moves that are open", () => {
  try {
    judgeMove("netguard", "verified", "active", true);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({
      detail: "transition `verified` to `active` rejected: go through `installed` first",
      fields: { from: "verified", to: "active", allowed: ["installed"] },
    });
  }
});

test("the moves that are shown are the moves that are let through", () => {
  for (const [from, to] of pairs) {
    for (const isAvailable of [true, false]) {
      expect(movesFrom(from, isAvailable).includes(to)).toBe(verdict(from, to, isAvailable) === "allowed");
    }
  }
});

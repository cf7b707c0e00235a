import { auditActionNames } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { actionNouns, actionWords, knownActions } from "./audit-words.ts";

test("a known action has a name of its own", () => {
  expect(actionWords("auth.signed_in")).toBe("Sign-in");
});

test.each(auditActionNames)("%s has words of its own, and those alone are offered as a filter", (action) => {
  expect(actionWords(action)).toMatch(/^[A-Z][a-z-]+[^:]*$/);
  expect(knownActions).toContain(action);
  expect(knownActions).toHaveLength(auditActionNames.length);
});

test("an action nobody has named is still readable", () => {
  expect(actionWords("node.agent_replaced")).toBe("Node: agent replaced");
  expect(actionWords("odd")).toBe("odd");
});

test("every known action and noun has the form that a search takes", () => {
  for (const action of [...knownActions, ...Object.keys(actionNouns)]) {
    expect(action).toMatch(/^[a-z][a-z0-9_-]{0,40}\.[a-z0-9_.-]{0,60}$/);
  }
});

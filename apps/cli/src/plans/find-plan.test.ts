import { expect, test } from "vitest";
import { pickPlan } from "./find-plan.ts";

const items = [{ id: "plan_aaaaaaaaaaaaaaaaaaaa123456" }, { id: "plan_bbbbbbbbbbbbbbbbbbbb123456" }];

test("a plan is found by as many of its last digits as no other has", () => {
  expect(pickPlan({ items, more: false }, "b123456")).toBe(items[1]);
});

test.each([
  ["digits that two have", "123456", false, "cli.plan_ambiguous"],
  ["digits of no plan", "999999", false, "plan.unknown"],
  ["the beginning of an id", "aaaaaaa", false, "plan.unknown"],
  ["digits that a plan beyond those may have too", "b123456", true, "cli.plan_ambiguous"],
])("%s name none", (_, digits, more, code) => {
  expect(() => pickPlan({ items, more }, digits)).toThrow(expect.objectContaining({ code }));
});

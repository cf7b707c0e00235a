import { expect, test } from "vitest";
import { sectionOf } from "./section-of.ts";

test("the section of a record is given as it was accepted, and one that no plan has is damage", () => {
  const section = { node: `node_${"0".repeat(26)}`, operations: [], preconditions: [] };
  expect(() => sectionOf({ section: { ...section, more: 1 } })).toThrow(/^journal\.unsound/);
});

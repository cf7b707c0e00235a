import { builtInAlertRules } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { sayRule, saySilence } from "./say-rule.ts";

test("a rule is said with what opens it and what ends it", () => {
  expect(Object.values(builtInAlertRules).map(({ watch }) => sayRule(watch))).toEqual([
    "Offline for 2 min, well again when it is back",
    "Flapping, 6 times in 20 min, well again when it is half as often",
    "Disk over 90 % for 5 min, well again under 85 % for 2 min",
    "Memory over 95 % for 10 min, well again under 90 % for 2 min",
  ]);
});

test("a silence is said by its rule and its hosts, by name where the name is known", () => {
  const nodes = new Map([["node_1", "fra1-edge-03"]]);
  const rules = new Map([["disk", "Disk"]]);
  const said = (rule: string | null, appliesTo: Parameters<typeof saySilence>[0]["appliesTo"]) =>
    saySilence({ rule, appliesTo }, nodes, rules);
  expect(said("disk", { nodes: ["node_1"] })).toBe("Disk on fra1-edge-03");
  expect(said("disk", { nodes: ["node_1", "node_2"] })).toBe("Disk on fra1-edge-03 and 1 more host");
  expect(said(null, { tags: ["edge"] })).toBe("Every rule on hosts with the tag edge");
  expect(said("rule_gone", { tags: ["edge", "db"] })).toBe("rule_gone on hosts with one of the tags edge, db");
  expect(said(null, { all: true })).toBe("Every rule on all hosts");
});

import { alertWatch, builtInAlertRules, drawnMetrics } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { parseRule, typeRule } from "./rule-form.ts";

const wishOf = (...given: Parameters<typeof parseRule>) => {
  const read = parseRule(...given);
  if ("wrong" in read) throw new Error(JSON.stringify(read.wrong));
  return read.wish;
};

test.each(Object.values(builtInAlertRules))("the rule $name is read back as it was shown", (rule) => {
  const { name, watch, appliesTo } = rule;
  expect(wishOf(typeRule(rule))).toEqual({ name, watch, appliesTo });
});

test("a rate is typed in megabytes a second, with a comma or a point", () => {
  const typed = { ...typeRule(), name: "Quiet line", metric: "netIn", crosses: "below" } as const;
  const { watch } = wishOf({ ...typed, threshold: "0,5", recover: "1" });
  expect(watch).toMatchObject({ threshold: 500_000, recover: { threshold: 1_000_000, minutes: 2 } });
  expect(typeRule({ name: "", watch, appliesTo: { all: true } })).toMatchObject({ threshold: "0.5", recover: "1" });
});

test.each(drawnMetrics)("what is accepted of %s, the contract accepts", (metric) => {
  const { watch } = wishOf({ ...typeRule(), name: "One", metric });
  expect(alertWatch.safeParse(watch).success).toBe(true);
});

test.each([
  [{ name: " " }, ["name"]],
  [{ threshold: "101" }, ["threshold"]],
  [{ threshold: "-1" }, ["threshold"]],
  [{ recover: "81" }, ["recover"]],
  [{ crosses: "below", recover: "75" }, ["recover"]],
  [{ hold: "0" }, ["hold"]],
  [{ hold: "61", recoverFor: "1.5" }, ["hold", "recoverFor"]],
  [{ kind: "offline", hold: "61" }, ["hold"]],
  [{ kind: "flapping", times: "1" }, ["times"]],
  [{ scope: "tags", tags: "" }, ["tags"]],
  [{ scope: "tags", tags: "No Tag" }, ["tags"]],
] as const)("%o is wrong in %o", (changes, fields) => {
  const read = parseRule({ ...typeRule(), name: "One", ...changes });
  expect("wrong" in read ? Object.keys(read.wrong) : []).toEqual(fields);
});

test("a rule for single hosts stays one, and may be made one for tags", () => {
  const nodes = ["node_1", "node_2"];
  const typed = typeRule({ name: "Two", watch: { kind: "offline", holdMinutes: 0 }, appliesTo: { nodes } });
  expect(wishOf(typed, nodes).appliesTo).toEqual({ nodes });
  expect(wishOf({ ...typed, scope: "tags", tags: "edge db" }, nodes).appliesTo).toEqual({ tags: ["edge", "db"] });
});

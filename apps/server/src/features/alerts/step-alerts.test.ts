import { builtInAlertRules, metricNames } from "@gatehouse/contract";
import type { AlertRecord } from "@gatehouse/contract/records";
import { expect, test } from "vitest";
import type { WatchRun, Sight } from "./judge-watch.ts";
import { type ActiveRule, stepAlerts } from "./step-alerts.ts";

const begin = 1_800_000_000_000;
const minute = 60_000;
const look = { now: begin, watchedMs: 60 * minute };
const ruleOf = (id: keyof typeof builtInAlertRules): ActiveRule => ({ id, ...builtInAlertRules[id] });
const rules = (Object.keys(builtInAlertRules) as (keyof typeof builtInAlertRules)[]).map(ruleOf);

const sight = (id: string, more: Partial<Sight> = {}): Sight => ({
  id,
  name: id,
  tags: [],
  state: "online",
  since: begin - 60 * minute,
  minutes: [],
  comebacks: [],
  ...more,
});
const away = (id: string, more: Partial<Sight> = {}) =>
  sight(id, { state: "offline", since: begin - 5 * minute, ...more });

function alertOf(rule: string, node: string): AlertRecord {
  const { name } = builtInAlertRules[rule as keyof typeof builtInAlertRules] ?? { name: rule };
  const about = { name, condition: "", kind: "offline" as const, nodeName: node, value: null, acknowledged: null };
  return { id: `alert_${rule}_${node}`, rule, node, since: begin, openedAt: begin, ...about };
}

function openOf(...alerts: AlertRecord[]) {
  const open = new Map<string, Map<string, AlertRecord>>();
  for (const alert of alerts) {
    open.set(alert.node, (open.get(alert.node) ?? new Map<string, AlertRecord>()).set(alert.rule, alert));
  }
  return open;
}

const step = (sights: readonly Sight[], open = openOf(), given: readonly ActiveRule[] = rules) => {
  const { opening, ending, runs } = stepAlerts({ rules: given, sights, open, runs: new Map<string, WatchRun>(), look });
  return {
    opening: opening.map(({ rule, node }) => `${rule.id} ${node.id}`),
    ending: ending.map(({ alert, because }) => `${alert.rule} ${alert.node}: ${because}`),
    runs,
  };
};

test("a whole site that is away opens one alert a node, and a node that is here none", () => {
  expect(step([away("a"), sight("b"), away("c")]).opening).toEqual(["offline a", "offline c"]);
});

test("what is open does not open again, and ends when the node is back", () => {
  expect(step([away("a")], openOf(alertOf("offline", "a")))).toMatchObject({ opening: [], ending: [] });
  expect(step([sight("a")], openOf(alertOf("offline", "a"))).ending).toEqual(["offline a: recovered"]);
});

test("of a node that nobody knows of nothing opens and nothing ends", () => {
  const unknown = sight("a", { state: "unknown", since: undefined });
  const open = openOf(alertOf("offline", "a"), alertOf("disk", "a"));
  expect(step([unknown], open)).toMatchObject({ opening: [], ending: [] });
});

test("a revoked node never alerts, and what is open of it ends", () => {
  const revoked = away("a", { state: "revoked" });
  expect(step([revoked])).toMatchObject({ opening: [], ending: [] });
  const full = Array.from({ length: 10 }, (_, n) => ({ at: begin + n * minute, values: metricNames.map(() => 99) }));
  expect(step([sight("a", { minutes: full })]).opening).toEqual(["disk a", "memory a"]);
  expect(step([sight("a", { minutes: full, state: "revoked" })]).opening).toEqual([]);
  expect(step([revoked], openOf(alertOf("offline", "a"))).ending).toEqual(["offline a: node gone"]);
});

test("an alert of a metric stays as it is while its node is offline", () => {
  const { ending, opening } = step([away("a")], openOf(alertOf("disk", "a"), alertOf("offline", "a")));
  expect([opening, ending]).toEqual([[], []]);
});

test("an alert ends when its rule is switched off, or is no longer about its node", () => {
  const open = openOf(alertOf("offline", "a"));
  expect(step([away("a")], open, []).ending).toEqual(["offline a: rule gone"]);
  const others = [{ ...ruleOf("offline"), appliesTo: { tags: ["web"] } }];
  expect(step([away("a")], open, others).ending).toEqual(["offline a: rule gone"]);
  expect(step([away("a", { tags: ["db", "web"] })], open, others).ending).toEqual([]);
});

test("a rule is about all nodes, those of a tag, or those that it names", () => {
  const sights = [away("a", { tags: ["web"] }), away("b")];
  const about = (appliesTo: ActiveRule["appliesTo"]) => step(sights, openOf(), [{ ...ruleOf("offline"), appliesTo }]);
  expect(about({ all: true }).opening).toEqual(["offline a", "offline b"]);
  expect(about({ tags: ["web", "db"] }).opening).toEqual(["offline a"]);
  expect(about({ nodes: ["b"] }).opening).toEqual(["offline b"]);
});

test("nothing is remembered of a node of which nothing is wrong", () => {
  const values = metricNames.map(() => 1);
  expect(step([sight("a", { minutes: [{ at: begin, values }] })]).runs.size).toBe(0);
  const full = metricNames.map(() => 99);
  expect([...step([sight("a", { minutes: [{ at: begin, values: full }] })]).runs.keys()]).toEqual([
    "disk/a",
    "memory/a",
  ]);
});

import { brokerLimits } from "@gatehouse/contract/broker";
import { expect, test } from "vitest";
import { setUpBroker } from "./broker-cases.ts";
import type { MetricDeps } from "./metric-handlers.ts";

const node = `node_${"0".repeat(26)}`;

test("a plugin is shown the means of the node and the time that it asks for", async () => {
  const asked: unknown[] = [];
  const means = {
    cpu: [1, null],
    load: [0, null],
    memory: [2, null],
    disk: [3, null],
    netIn: [4, null],
    netOut: [5, null],
  };
  const readMetrics: MetricDeps["readMetrics"] = async (params) => {
    asked.push(params);
    return { from: "2026-01-01T00:00:00.000Z", stepSeconds: 600, minutes: 7, means };
  };
  const { ask } = setUpBroker({ readMetrics }).act({ capabilities: ["metric:read"] });
  expect(await ask("metric.read", { node, minutes: 20, points: 2 })).toMatchObject({ minutes: 7, means });
  expect(asked).toEqual([{ node, minutes: 20, points: 2 }]);
});

test("more than the bounds, another id and a field more are refused", async () => {
  const { ask } = setUpBroker().act({ capabilities: ["metric:read"] });
  const wrong = [
    {},
    { node: "web-1" },
    { node, minutes: brokerLimits.metricMinutes + 1 },
    { node, points: brokerLimits.metricPoints + 1 },
    { node, points: 1 },
    { node, from: 0 },
  ];
  for (const params of wrong) expect(await ask("metric.read", params)).toBe("broker.malformed");
});

test("nothing is read while a plan is drawn up", async () => {
  const { ask } = setUpBroker().act({ capabilities: ["metric:read"] }, "plan");
  expect(await ask("metric.read", { node })).toBe("broker.not_during_plan");
});

import { expect, test } from "vitest";
import { drawnMetrics, fitMetricValues, metricNames, metrics } from "./metrics.ts";

test("metrics keep their order, because the channel and the stored rows count on it", () => {
  expect(metricNames.slice(0, 10)).toEqual([
    "cpu",
    "load",
    "memory",
    "memoryTotal",
    "disk",
    "diskTotal",
    "netIn",
    "netOut",
    "uptime",
    "cores",
  ]);
  for (const name of drawnMetrics) expect(metricNames).toContain(name);
});

test("what a host says is cut to what is known and can be", () => {
  const fitted = fitMetricValues([250, -1, null, Number.POSITIVE_INFINITY, 40, 1, 2, 3, 4, 5, 6, 7]);
  expect(fitted).toEqual([metrics.cpu.most, null, null, null, 40, 1, 2, 3, 4, 5]);
});

test("the most that a host can say is a number that strict JSON carries", () => {
  for (const { most } of Object.values(metrics)) expect(Number.isSafeInteger(most)).toBe(true);
});

test("what an older host does not say is not known", () => {
  expect(fitMetricValues([1])).toEqual([1, ...Array.from({ length: metricNames.length - 1 }, () => null)]);
});

import { sayAlertWatch } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { sampleAlert } from "./sample-alert.ts";
import { causeOf, sayAlert } from "./say-alert.ts";

const recover = { threshold: 0, minutes: 2 };

test.each([
  [
    sayAlertWatch({ kind: "metric", metric: "disk", crosses: "above", threshold: 90, holdMinutes: 5, recover }),
    { value: 94.04, unit: "percent" as const },
    { what: "Disk 94 %", rule: "over 90 % for 5 min" },
  ],
  [
    sayAlertWatch({ kind: "metric", metric: "netIn", crosses: "below", threshold: 2e6, holdMinutes: 5, recover }),
    { value: 31_400, unit: "bytes per second" as const },
    { what: "Network in 31.4 kB/s", rule: "under 2 MB/s for 5 min" },
  ],
  [
    sayAlertWatch({ kind: "metric", metric: "load", crosses: "above", threshold: 6, holdMinutes: 10, recover }),
    { value: 7.234, unit: "number" as const },
    { what: "Load 7.23", rule: "over 6 for 10 min" },
  ],
  [
    sayAlertWatch({ kind: "offline", holdMinutes: 2 }),
    { value: null, unit: null },
    { what: "Offline", rule: "for 2 min" },
  ],
  [sayAlertWatch({ kind: "offline", holdMinutes: 0 }), { value: null, unit: null }, { what: "Offline", rule: "" }],
  [
    sayAlertWatch({ kind: "flapping", times: 6, minutes: 20 }),
    { value: 8, unit: null },
    { what: "Flapping", rule: "6 times in 20 min" },
  ],
])("%s is said as a value and the rest of the condition", (condition, fields, said) => {
  expect(sayAlert(sampleAlert({ condition, ...fields }))).toEqual(said);
});

test("a node needs a look for a value, and for flapping with how often", () => {
  expect(causeOf(sampleAlert())).toBe("Disk 94 %");
  const condition = "Flapping, 6 times in 20 min";
  expect(causeOf(sampleAlert({ kind: "flapping", condition, unit: null }))).toBe(condition);
});

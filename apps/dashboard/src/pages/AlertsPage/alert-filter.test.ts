import { expect, test } from "vitest";
import { sampleAlert } from "../../widgets/Alerts/sample-alert.ts";
import { alertsHref, countAlerts, filterAlerts, readAlertFilter, sayOpen, sortAlerts } from "./alert-filter.ts";

const acknowledged = { by: "usr_1", name: "ruth", at: "2026-11-17T03:01:00.000Z", note: null };
const silencedUntil = "2026-11-17T06:00:00.000Z";
const alerts = [
  sampleAlert({ id: "quiet", silencedUntil }),
  sampleAlert({ id: "older", node: "node_db", openedAt: "2026-11-17T01:00:00.000Z" }),
  sampleAlert({ id: "cared", acknowledged, openedAt: "2026-11-17T03:00:00.000Z" }),
  sampleAlert({ id: "newer", rule: "memory", openedAt: "2026-11-17T02:00:00.000Z" }),
];
const idsOf = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id);

test("what nobody has acknowledged comes first, and the newest of it before the older", () => {
  expect(idsOf(sortAlerts(alerts))).toEqual(["newer", "older", "cared", "quiet"]);
});

test("state, rule, node and tag hold together", () => {
  const nodes = [{ id: "node_db", tags: ["db"] }];
  expect(idsOf(filterAlerts(alerts, { state: "silenced" }, nodes))).toEqual(["quiet"]);
  expect(idsOf(filterAlerts(alerts, { rule: "memory" }, nodes))).toEqual(["newer"]);
  expect(idsOf(filterAlerts(alerts, { tag: "db", state: "unacknowledged" }, nodes))).toEqual(["older"]);
  expect(idsOf(filterAlerts(alerts, { node: "node_db" }, nodes))).toEqual(["older"]);
  expect(filterAlerts(alerts, { tag: "web" }, nodes)).toEqual([]);
});

test("the address says the filter, and is read back; a state that there is not says nothing", () => {
  expect(alertsHref({ state: "silenced", tag: "12" })).toBe("/alerts?state=silenced&tag=%2212%22");
  expect(readAlertFilter({ state: "silenced", tag: 12, rule: " " })).toEqual({ state: "silenced", tag: "12" });
  expect(readAlertFilter({ state: "on fire" })).toEqual({});
});

test("every alert is counted once", () => {
  expect(countAlerts(alerts)).toEqual({ unacknowledged: 2, acknowledged: 1, silenced: 1 });
  expect(sayOpen(alerts)).toBe("4 open: 2 unacknowledged, 1 acknowledged, 1 silenced.");
});

import type { Alert } from "@gatehouse/contract/routes";

/** A whole alert for tests that look at a field or two. */
export function sampleAlert(changes: Partial<Alert> = {}): Alert {
  return {
    id: "alert_0123456789abcdefghjkmnpqrs",
    rule: "disk",
    name: "Disk",
    kind: "metric",
    node: "node_0123456789abcdefghjkmnpqrs",
    nodeName: "ams1-stor-09",
    condition: "Disk over 90 % for 5 min",
    value: 94,
    threshold: 90,
    unit: "percent",
    since: "2026-11-17T02:20:00.000Z",
    openedAt: "2026-11-17T02:25:00.000Z",
    acknowledged: null,
    silencedUntil: null,
    ...changes,
  };
}

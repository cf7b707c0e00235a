import { sayMetricValue } from "@gatehouse/contract";
import type { Alert, AlertRule } from "@gatehouse/contract/routes";
import { lastDigits, sayTime } from "../nodes/say-node.ts";

/** One line of a list: what is wrong where, since when, and whether somebody looks after it. */
export function alertRow(alert: Alert, rules: ReadonlyMap<string, AlertRule>, now: number): string[] {
  const { id, nodeName, value, condition, since, acknowledged, silencedUntil } = alert;
  const watch = rules.get(alert.rule)?.watch;
  return [
    lastDigits(id),
    nodeName,
    value === null ? "-" : watch?.kind === "metric" ? sayMetricValue(watch.metric, value) : String(value),
    condition,
    sayTime(since, now),
    silencedUntil !== null
      ? `silenced until ${sayTime(silencedUntil, now)}`
      : acknowledged !== null
        ? `acknowledged by ${acknowledged.name ?? acknowledged.by}`
        : "-",
  ];
}

export const alertHead = ["digits", "node", "value", "rule", "since", "looked after"] as const;

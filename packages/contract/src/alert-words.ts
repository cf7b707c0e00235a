import type { AlertWatch } from "./alerts.ts";
import { type DrawnMetric, metrics } from "./metrics.ts";

const metricWords: Readonly<Record<DrawnMetric, string>> = {
  cpu: "CPU",
  load: "Load",
  memory: "Memory",
  disk: "Disk",
  netIn: "Network in",
  netOut: "Network out",
};

/** "Disk over 90 % for 5 min". */
export function sayAlertWatch(watch: AlertWatch): string {
  if (watch.kind === "offline") return watch.holdMinutes === 0 ? "Offline" : `Offline for ${watch.holdMinutes} min`;
  if (watch.kind === "flapping") return `Flapping, ${watch.times} times in ${watch.minutes} min`;
  const { metric, crosses, threshold, holdMinutes } = watch;
  const side = crosses === "above" ? "over" : "under";
  return `${metricWords[metric]} ${side} ${sayMetricValue(metric, threshold)} for ${holdMinutes} min`;
}

/** "94 %", as people say it. */
export function sayMetricValue(metric: DrawnMetric, value: number): string {
  const { unit } = metrics[metric];
  if (unit === "percent") return `${trim(value)} %`;
  if (unit === "number") return trim(value);
  const step = byteSteps.findLast(({ from }) => value >= from) ?? byteSteps[0];
  return `${trim(value / step.from)} ${step.word}`;
}

const byteSteps = [
  { from: 1, word: "B/s" },
  { from: 1_000, word: "kB/s" },
  { from: 1_000_000, word: "MB/s" },
  { from: 1_000_000_000, word: "GB/s" },
] as const;

function trim(value: number): string {
  return String(Math.round(value * 100) / 100);
}

import {
  type DrawnMetric,
  drawnMetrics,
  type MetricName,
  metricNames,
  metrics,
  type MetricValues,
} from "@gatehouse/contract";
import type { MetricPoint, NodeMetrics } from "@gatehouse/contract/routes";
import type { Curve, Minute, MinuteSeries } from "@gatehouse/store/telemetry";
import type { Stretch } from "./choose-stretch.ts";

/** What a node has measured, as the API shows it. */
export function viewMetrics(node: string, stretch: Stretch, series: MinuteSeries): NodeMetrics {
  const uptime = curveOf(series, "uptime");
  return {
    node,
    from: timeOf(stretch.from),
    to: timeOf(stretch.to),
    stepSeconds: stretch.stepMs / 1_000,
    minutes: series.minutes,
    latest: series.latest === undefined ? null : viewMinute(series.latest),
    restarts: findRestarts(uptime, stretch.stepMs / 1_000).map((n) => timeOf(stretch.from + n * stretch.stepMs)),
    curves: byDrawn((name) => {
      const { mean, least, most } = curveOf(series, name);
      const shown = (values: MetricValues) => values.map((value) => round(name, value));
      return { mean: shown(mean), least: shown(least), most: shown(most) };
    }),
  };
}

/** The means alone, for a plugin. */
export function viewMeans(series: MinuteSeries): Record<DrawnMetric, (number | null)[]> {
  return byDrawn((name) => curveOf(series, name).mean.map((value) => round(name, value)));
}

function viewMinute({ at, values }: Minute): MetricPoint {
  const shown = metricNames.map((name, n) => [name, round(name, values[n] ?? null)]);
  return { at: timeOf(at), ...(Object.fromEntries(shown) as Record<MetricName, number | null>) };
}

/**
 * Points in which the host was running for less long than it had been before. A minute less is how it is kept and how
 * clocks are read; a host that was down has lost more.
 */
function findRestarts({ least, most }: Curve, stepSeconds: number): number[] {
  const found: number[] = [];
  let before: number | undefined;
  for (const [n, low] of least.entries()) {
    const high = most[n] ?? null;
    if (low === null || high === null) continue;
    // Within a point it grows by the length of the point at most.
    if (high - low > stepSeconds + slackSeconds || (before !== undefined && low < before - slackSeconds)) found.push(n);
    before = high - low > stepSeconds + slackSeconds ? low : high;
  }
  return found;
}

const slackSeconds = 90;

function byDrawn<Value>(valueOf: (name: DrawnMetric) => Value): Record<DrawnMetric, Value> {
  return Object.fromEntries(drawnMetrics.map((name) => [name, valueOf(name)])) as Record<DrawnMetric, Value>;
}

function curveOf({ curves }: MinuteSeries, name: MetricName): Curve {
  return curves[metricNames.indexOf(name)] ?? { least: [], mean: [], most: [] };
}

/** Not more digits than were measured: they would be most of an answer. */
function round(name: MetricName, value: number | null): number | null {
  if (value === null) return null;
  const { precision } = metrics[name];
  return precision.kind === "step" && precision.step < 1 ? Math.round(value * 100) / 100 : Math.round(value);
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

import { type DrawnMetric, drawnMetrics, type MetricName, metricNames } from "@gatehouse/contract";
import type { NodeMetrics } from "../../api/metrics.ts";

interface Wanted {
  readonly node?: string;
  readonly from?: string;
  readonly stepSeconds?: number;
  readonly restarts?: readonly string[];
  readonly latest?: Partial<Record<MetricName, number>>;
  /** Means; least and most lie a tenth beside them. All are as long as the first; a metric that is not said was not measured. */
  readonly means: Partial<Record<DrawnMetric, readonly (number | null)[]>>;
}

/** A whole answer for tests that look at a curve or two, and for the gallery. */
export function sampleMetrics({ node = "node_a", from = "2026-11-17T02:12:00.000Z", ...wanted }: Wanted): NodeMetrics {
  const { stepSeconds = 60, restarts = [], latest, means } = wanted;
  const points = Object.values(means)[0]?.length ?? 0;
  const curve = (name: DrawnMetric) => {
    const mean = [...(means[name] ?? Array.from({ length: points }, () => null))];
    const beside = (part: number) => mean.map((value) => (value === null ? null : value * part));
    return { mean, least: beside(0.9), most: beside(1.1) };
  };
  const to = new Date(Date.parse(from) + points * stepSeconds * 1_000).toISOString();
  return {
    node,
    from,
    to,
    stepSeconds,
    minutes: Math.max(0, ...Object.values(means).map((mean) => mean.filter((value) => value !== null).length)),
    latest:
      latest === undefined
        ? null
        : {
            ...(Object.fromEntries(metricNames.map((name) => [name, null])) as Record<MetricName, null>),
            ...latest,
            at: to,
          },
    restarts: [...restarts],
    curves: Object.fromEntries(drawnMetrics.map((name) => [name, curve(name)])) as NodeMetrics["curves"],
  };
}

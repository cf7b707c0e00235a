/**
 * Metrics: what hosts measure of themselves, a value a minute, kept for a time and shown as curves. Nothing is decided by it.
 * Never asks a host, and never makes anybody wait who brings a minute.
 */
import { metricLimits, type MetricValues } from "@gatehouse/contract";
import type { BrokerParams, BrokerResult } from "@gatehouse/contract/broker";
import { nodeMetricsRoute } from "@gatehouse/contract/routes";
import type { Clock } from "@gatehouse/base";
import type { Telemetry } from "@gatehouse/store/telemetry";
import { type Route, route } from "../../platform/route/index.ts";
import { chooseStretch } from "./choose-stretch.ts";
import { viewMeans, viewMetrics } from "./view-metrics.ts";

export interface NodeMetricsDeps {
  readonly telemetry: Pick<Telemetry, "measure" | "measured">;
  readonly clock: Pick<Clock, "now">;
  /** Refuses a node that there is none of. */
  readonly requireNode: (id: string) => Promise<unknown>;
}

export interface NodeMetricsFeature {
  readonly routes: readonly Route[];
  /** What a host brought, at the server's time. */
  take(node: string, minutes: readonly { readonly at: number; readonly values: MetricValues }[]): void;
  /** For plugins. */
  read(asked: BrokerParams<"metric.read">): Promise<BrokerResult<"metric.read">>;
  /** Minutes that were taken since the start. */
  taken(): number;
}

export function openNodeMetrics({ telemetry, clock, requireNode }: NodeMetricsDeps): NodeMetricsFeature {
  let taken = 0;
  return {
    routes: [
      route(nodeMetricsRoute, async ({ params, query, request }) => {
        await requireNode(params.id);
        const asked = { from: parse(query.from), to: parse(query.to), points: Number(query.points ?? unsaidPoints) };
        const stretch = chooseStretch(asked, request.now);
        return viewMetrics(params.id, stretch, await telemetry.measured({ node: params.id, ...stretch }));
      }),
    ],
    take: (node, minutes) => {
      taken += minutes.length;
      telemetry.measure(minutes.map((minute) => ({ node, ...minute })));
    },
    read: async ({ node, minutes = 60, points = 60 }) => {
      const now = clock.now();
      const stretch = chooseStretch({ from: now - minutes * metricLimits.minuteMs, to: now, points }, now);
      const series = await telemetry.measured({ node, ...stretch });
      return {
        from: new Date(stretch.from).toISOString(),
        stepSeconds: stretch.stepMs / 1_000,
        minutes: series.minutes,
        means: viewMeans(series),
      };
    },
    taken: () => taken,
  };
}

const { unsaidPoints } = metricLimits;

function parse(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}

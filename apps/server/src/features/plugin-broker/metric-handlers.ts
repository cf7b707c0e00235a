import type { BrokerParams, BrokerResult } from "@gatehouse/contract/broker";
import type { BrokerHandlers } from "./handlers.ts";

export interface MetricDeps {
  /** Of a node that there is none of, nothing was measured. */
  readonly readMetrics: (asked: BrokerParams<"metric.read">) => Promise<BrokerResult<"metric.read">>;
}

export function metricHandlers({ readMetrics }: MetricDeps): Pick<BrokerHandlers, "metric.read"> {
  return { "metric.read": (_, params) => readMetrics(params) };
}

import * as z from "zod";
import { alertLimits } from "./alert-limits.ts";
import { type DrawnMetric, drawnMetrics, metrics } from "./metrics.ts";
import { nodeId } from "./node-id.ts";
import { nodeTag } from "./node-names.ts";

export const alertKinds = ["metric", "offline", "flapping"] as const;
export type AlertKind = (typeof alertKinds)[number];

const minutes = z.int().min(1).max(alertLimits.holdMinutes);
const amount = z.number().min(0).max(metrics.memoryTotal.most);

const metricWatch = z
  .strictObject({
    kind: z.literal("metric"),
    metric: z.enum(drawnMetrics),
    crosses: z.enum(["above", "below"]),
    threshold: amount,
    holdMinutes: minutes.meta({ description: "So many measured minutes in a row beyond the threshold open it." }),
    recover: z
      .strictObject({ threshold: amount, minutes })
      .meta({ description: "So many measured minutes in a row not beyond this threshold end it." }),
  })
  .refine(({ metric, threshold, recover }) => Math.max(threshold, recover.threshold) <= metrics[metric].most, {
    message: "the threshold is more than the metric can be",
    path: ["threshold"],
  })
  .refine(
    ({ crosses, threshold, recover }) =>
      crosses === "above" ? recover.threshold <= threshold : recover.threshold >= threshold,
    { message: "it must not recover beyond the threshold at which it opens", path: ["recover", "threshold"] },
  );

/** What a rule watches for. */
export const alertWatch = z.discriminatedUnion("kind", [
  metricWatch,
  z.strictObject({ kind: z.literal("offline"), holdMinutes: z.int().min(0).max(alertLimits.holdMinutes) }),
  z
    .strictObject({ kind: z.literal("flapping"), times: z.int().min(2).max(60), minutes })
    .meta({ description: "It connected anew so often within so many minutes; half as often ends it." }),
]);
export type AlertWatch = z.output<typeof alertWatch>;
export type MetricWatch = Extract<AlertWatch, { readonly kind: "metric" }>;

/** Which nodes a rule or a silence is about. */
export const alertNodes = z.union([
  z.strictObject({ all: z.literal(true) }),
  z.strictObject({ tags: z.array(nodeTag).min(1).max(alertLimits.tags) }),
  z.strictObject({ nodes: z.array(nodeId).min(1).max(alertLimits.nodes) }),
]);
export type AlertNodes =
  | { readonly all: true }
  | { readonly tags: readonly string[] }
  | { readonly nodes: readonly string[] };

export interface AlertRuleSpec {
  readonly name: string;
  readonly enabled: boolean;
  readonly watch: AlertWatch;
  readonly appliesTo: AlertNodes;
}

const full = (name: string, metric: DrawnMetric, threshold: number, recovers: number, holdMinutes: number) => ({
  name,
  enabled: true,
  watch: {
    kind: "metric",
    metric,
    crosses: "above",
    threshold,
    holdMinutes,
    recover: { threshold: recovers, minutes: 2 },
  } as const,
  appliesTo: { all: true } as const,
});

/** Rules that are there without anybody having made them. They are changed and switched off, and never removed. */
export const builtInAlertRules = {
  offline: { name: "Offline", enabled: true, watch: { kind: "offline", holdMinutes: 2 }, appliesTo: { all: true } },
  flapping: {
    name: "Flapping",
    enabled: true,
    watch: { kind: "flapping", times: 6, minutes: 20 },
    appliesTo: { all: true },
  },
  disk: full("Disk", "disk", 90, 85, 5),
  memory: full("Memory", "memory", 95, 90, 10),
} as const satisfies Record<string, AlertRuleSpec>;

/** Why an alert ended: what it was about is over, or nothing watches for it any more. */
export const alertEnds = ["recovered", "node gone", "rule gone"] as const;
export type AlertEnd = (typeof alertEnds)[number];

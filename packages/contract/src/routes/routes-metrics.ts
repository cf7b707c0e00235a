import * as z from "zod";
import { drawnMetrics, metricLimits, type MetricName, metricNames } from "../metrics.ts";
import { nodeId } from "../node-id.ts";
import type { RouteSpec } from "./route.ts";

const values = z.array(z.number().nullable());

const curve = z
  .strictObject({
    mean: values,
    least: values,
    most: values,
  })
  .meta({ id: "MetricCurve", description: "One value per point; null where no minute was measured." });

export const metricPoint = z
  .strictObject({
    at: z.iso.datetime(),
    ...(Object.fromEntries(metricNames.map((name) => [name, z.number().nullable()])) as Record<
      MetricName,
      z.ZodNullable<z.ZodNumber>
    >),
  })
  .meta({ id: "MetricPoint", description: "What one minute measured." });
export type MetricPoint = z.output<typeof metricPoint>;

export const nodeMetrics = z
  .strictObject({
    node: z.string(),
    from: z.iso.datetime().meta({ description: "Where the first point begins." }),
    to: z.iso.datetime().meta({ description: "Where the last point ends." }),
    stepSeconds: z.int().meta({ description: "From point to point: as short as the number of points allows." }),
    minutes: z.int().meta({ description: "How many minutes were measured." }),
    latest: metricPoint.nullable().meta({ description: "The newest of them." }),
    restarts: z.array(z.iso.datetime()).meta({ description: "Points in which the host came up again." }),
    curves: z.strictObject(
      Object.fromEntries(drawnMetrics.map((name) => [name, curve])) as Record<
        (typeof drawnMetrics)[number],
        typeof curve
      >,
    ),
  })
  .meta({ id: "NodeMetrics" });
export type NodeMetrics = z.output<typeof nodeMetrics>;

const pointsRule = `must be a whole number from 2 to ${metricLimits.points}`;

export const nodeMetricsRoute = {
  method: "GET",
  path: "/api/nodes/:id/metrics",
  summary: "Shows what a node has measured: the last hour, or a stretch of time, as points of equal length.",
  access: { kind: "scope", scope: "node:read", nodes: { param: "id" } },
  params: z.strictObject({ id: nodeId }),
  query: z.strictObject({
    from: z.iso.datetime().optional().meta({ description: "Inclusive; an hour before `to` unless said." }),
    to: z.iso.datetime().optional().meta({ description: "Exclusive; now unless said." }),
    points: z
      .string()
      .regex(/^[1-9][0-9]{0,3}$/, pointsRule)
      .refine((text) => Number(text) >= 2 && Number(text) <= metricLimits.points, pointsRule)
      .optional()
      .meta({ description: `At most this many points; ${metricLimits.unsaidPoints} unless said otherwise.` }),
  }),
  responses: { 200: nodeMetrics },
  faults: ["node.unknown", "metrics.stretch"],
} as const satisfies RouteSpec;

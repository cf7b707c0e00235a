import * as z from "zod";
import { nodeId } from "../node-id.ts";
import { planSize } from "../plan-size.ts";
import { visibleText } from "../visible-text.ts";

const mebibyte = 1024 * 1024;

/** What one action may take before its whole process group is ended (contract 3.1 and 8). */
export const actionLimits = {
  deadlineMs: { describe: 10_000, health: 10_000, plan: 30_000 },
  /** Everything on standard output together: calls and answer. That of a plan is as long as a plan may be. */
  outputBytes: { describe: mebibyte, health: mebibyte, plan: planSize.bytes },
  stderrBytes: 64 * 1024,
  /** All of its processes together. */
  memoryBytes: 256 * mebibyte,
  brokerCalls: 64,
  /** The recorded input of a plan, as the server sends it. */
  inputBytes: mebibyte,
  /** The whole question of a plan: the input, and what is known of its nodes. */
  questionBytes: planSize.bytes,
  mapLines: 1_000,
} as const;

/** `planned`: drawn up, and nothing on a host says more about it yet. */
export const mapLineStates = ["up", "degraded", "down", "planned", "unknown"] as const;

/** A line of the fleet map between two nodes (contract 3.2). */
export const mapLine = z.strictObject({
  from: nodeId,
  to: nodeId,
  label: visibleText(60),
  state: z.enum(mapLineStates),
});
export type MapLine = z.output<typeof mapLine>;

export const describeResult = z.strictObject({
  name: visibleText(80),
  version: z
    .string()
    .max(64)
    .regex(/^[0-9A-Za-z.-]{1,64}$/, "must be a semantic version"),
  summary: visibleText(300),
  mapLines: z.array(mapLine).max(actionLimits.mapLines).optional(),
});
export type DescribeResult = z.output<typeof describeResult>;

export const healthStatuses = ["ok", "degraded", "failing"] as const;

export const healthResult = z.strictObject({
  status: z.enum(healthStatuses),
  message: visibleText(300).optional(),
});
export type HealthResult = z.output<typeof healthResult>;

import type { Json } from "@gatehouse/base";
import * as z from "zod";
import { actionLimits } from "../broker/plugin-actions.ts";
import { nodeId } from "../node-id.ts";
import { actionNames, pluginId, sha256Hex } from "../plugin-names.ts";
import type { RouteSpec } from "./route.ts";

/** Bodies are read as strict JSON before they come here, so anything that is there is JSON. */
const json = z.unknown() as z.ZodType<Json>;

export const actionReport = z
  .strictObject({
    id: pluginId,
    action: z.enum(actionNames),
    version: z.string(),
    artifactSha256: sha256Hex,
    sandbox: z.string(),
    ms: z.int(),
    calls: z
      .array(
        z.strictObject({
          method: z.string(),
          host: z.string().optional(),
          count: z.int(),
          refused: z.int(),
          bytes: z.int(),
        }),
      )
      .meta({ description: "What it asked of the broker: counted and named, never the values." }),
    result: json.meta({ description: "What the plugin answered, checked against the form of the action." }),
    plan: z
      .strictObject({
        digest: sha256Hex.meta({
          description: "Digest of the draft; the same artifact gives the same one for the same question.",
        }),
        inputSha256: sha256Hex.meta({
          description: "Digest of the question: the input, and the nodes as it had them.",
        }),
      })
      .nullable()
      .meta({ description: "For the action plan; a draft, and nothing is stored or applied by it." }),
  })
  .meta({ id: "ActionReport" });
export type ActionReport = z.output<typeof actionReport>;

/** The ids of as many nodes need less than what is beside the input. */
const invokeLimits = { nodes: 500, besideInputBytes: 32 * 1024 } as const;

export const invokePluginRoute = {
  method: "POST",
  path: "/api/plugins/:id/actions/:action",
  summary: "Asks an active plugin to describe itself, to report its health or to draw up a plan. Never changes a host.",
  access: { kind: "scope", scope: "plugin:invoke", nodes: "every" },
  params: z.strictObject({ id: pluginId, action: z.enum(actionNames) }),
  body: z.strictObject({
    input: json.optional().meta({ description: "What a plan is drawn up from; for plan only." }),
    nodes: z.array(nodeId).max(invokeLimits.nodes).optional().meta({
      description:
        "The nodes it is drawn up for, without what their hosts are like now; none if absent. For plan only.",
    }),
  }),
  bodyLimit: actionLimits.inputBytes + invokeLimits.besideInputBytes,
  responses: { 200: actionReport },
  faults: [
    "plugin.unknown",
    "plugin.not_active",
    "plugin.action_failed",
    "plugin.breaker_open",
    "plugin.busy",
    "node.unknown",
    "plan.too_large",
  ],
} as const satisfies RouteSpec;

export const knownAnswer = z
  .strictObject({
    state: z.enum(["unknown", "answered", "failed"]),
    at: z.iso.datetime().nullable().meta({ description: "When it answered, or failed to." }),
    ms: z.int().nullable(),
    result: json.nullable().meta({ description: "What it answered, checked against the form of the action." }),
    reason: z.string().nullable().meta({ description: "Why there is no answer." }),
    asking: z.boolean().meta({ description: "The server is asking at this moment." }),
  })
  .meta({ id: "KnownAnswer" });
export type KnownAnswer = z.output<typeof knownAnswer>;

export const pluginAnswersRoute = {
  method: "GET",
  path: "/api/plugins/:id/answers",
  summary:
    "Shows what an active plugin last said of itself. While somebody looks, the server asks it again by itself, at a pace of its own.",
  access: { kind: "scope", scope: "plugin:invoke", nodes: "every" },
  params: z.strictObject({ id: pluginId }),
  responses: {
    200: z.strictObject({ id: pluginId, sandbox: z.string(), describe: knownAnswer, health: knownAnswer }),
  },
  faults: ["plugin.unknown", "plugin.not_active"],
} as const satisfies RouteSpec;

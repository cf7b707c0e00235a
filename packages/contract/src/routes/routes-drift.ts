import * as z from "zod";
import { nodeId } from "../node-id.ts";
import { idempotencyKey } from "./list-shape.ts";
import type { RouteSpec } from "./route.ts";
import { plan } from "./routes-plans.ts";

const subject = z.string().min(1).max(600);
const params = z.strictObject({ id: nodeId });

export const driftedPart = z
  .strictObject({
    subject: z.string(),
    since: z.iso.datetime().meta({ description: "When the server first heard of it." }),
    state: z.enum(["differs", "missing", "unread"]).meta({
      description: "`unread`: the host cannot say now, for the reason in `why`. That is never the same as unchanged.",
    }),
    task: z.string().meta({ description: "The task that was confirmed last on this part." }),
    plan: z.string().meta({ description: "The digest of its plan." }),
    confirmedAt: z.iso.datetime().meta({ description: "By the host's clock." }),
    expected: z.string().nullable().meta({
      description:
        "The digest of the part as it was confirmed; null when it was another one before it could be hashed.",
    }),
    found: z.string().nullable().meta({ description: "Its digest now; null when it is gone, or could not be read." }),
    why: z.string().nullable(),
  })
  .meta({ id: "DriftedPart" });
export type DriftedPart = z.output<typeof driftedPart>;

export const nodeDrift = z
  .strictObject({
    checkedAt: z.iso.datetime().nullable().meta({
      description: "When the host last told what it found; null when it has not since this server started, or never.",
    }),
    watched: z.int().nullable().meta({ description: "How many parts the host hashes again and again." }),
    more: z.int().meta({ description: "How many more there are than are named." }),
    items: z.array(driftedPart),
  })
  .meta({ id: "NodeDrift" });
export type NodeDrift = z.output<typeof nodeDrift>;

export const nodeDriftRoute = {
  method: "GET",
  path: "/api/nodes/:id/drift",
  summary: "Shows which parts of a host differ from what was confirmed there, as its helper has signed it.",
  access: { kind: "scope", scope: "node:read", nodes: { param: "id" } },
  params,
  responses: { 200: nodeDrift },
  faults: ["node.unknown"],
} as const satisfies RouteSpec;

export const driftDifference = z
  .strictObject({
    subject: z.string(),
    kind: z.string(),
    words: z.array(z.string()),
    diff: z.array(z.strictObject({ mark: z.enum(["same", "added", "removed"]), text: z.string() })),
    plan: z.string().meta({ description: "The id of the plan that was confirmed." }),
    title: z.string(),
  })
  .meta({ id: "DriftDifference" });
export type DriftDifference = z.output<typeof driftDifference>;

export const driftDifferenceRoute = {
  method: "GET",
  path: "/api/nodes/:id/drift/difference",
  summary:
    "Asks the host what a part is like now, and shows it beside what the confirmed plan wanted there. Of files a host tells digests alone.",
  access: { kind: "scope", scope: "plan:read", nodes: "every" },
  params,
  query: z.strictObject({ subject }),
  responses: { 200: driftDifference },
  faults: ["node.unknown", "plan.drift_refused", "plan.node_offline", "plan.node_refused"],
} as const satisfies RouteSpec;

export const planDriftRoute = {
  method: "POST",
  path: "/api/nodes/:id/drift/plan",
  summary:
    "Makes the plan that gives a host back what was confirmed there and differs now. It goes the way of every plan, and changes no host.",
  access: { kind: "scope", scope: "plan:create", nodes: "every" },
  params,
  headers: z.object({ "idempotency-key": idempotencyKey }),
  body: z.strictObject({
    subjects: z
      .array(subject)
      .min(1)
      .max(64)
      .optional()
      .meta({ description: "Of the parts that differ or are missing. Without it, all of them." }),
  }),
  responses: { 201: plan },
  faults: [
    "node.unknown",
    "plan.drift_refused",
    "plan.node_offline",
    "plan.node_refused",
    "plan.artifact",
    "plan.too_large",
    "plan.draft_refused",
    "plan.move_refused",
    "request.key_reused",
  ],
} as const satisfies RouteSpec;

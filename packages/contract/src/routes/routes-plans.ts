import type { Json } from "@gatehouse/base";
import * as z from "zod";
import { idOf } from "../id-form.ts";
import { nodeId } from "../node-id.ts";
import { nodeTag } from "../node-names.ts";
import { lintSeverities } from "../plan-findings.ts";
import { planSize } from "../plan-size.ts";
import { planStates, taskStates } from "../plan-states.ts";
import { pluginId, sha256Hex } from "../plugin-names.ts";
import { visibleText } from "../visible-text.ts";
import { idempotencyKey, ifMatch, limitOf, listOf } from "./list-shape.ts";
import { acceptsModes, planApproval } from "./plan-approval.ts";
import type { RouteSpec } from "./route.ts";

/** Hours in which a plan is to be approved and begun. */
export const planLifetimes = { least: 1, unsaid: 24, most: 7 * 24 } as const;

/** Bodies are read as strict JSON before they come here, so anything that is there is JSON. */
const json = z.unknown() as z.ZodType<Json>;
const planId = idOf("plan");
const reason = visibleText(500);

const source = z.discriminatedUnion("from", [
  z.strictObject({ from: z.literal("person") }),
  z.strictObject({
    from: z.literal("plugin"),
    plugin: z.string(),
    version: z.string(),
    artifactSha256: sha256Hex,
    inputSha256: sha256Hex.meta({
      description: "Of the recorded question: the input, and the nodes with their states.",
    }),
  }),
]);

export const plan = z
  .strictObject({
    id: z.string(),
    digest: sha256Hex.meta({ description: "What an approver signs, and every host computes again." }),
    title: z.string(),
    summary: z.string(),
    source,
    author: z.string(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    state: z.enum(planStates),
    stateAt: z.iso.datetime(),
    movedBy: z.string(),
    reason: z.string().nullable().meta({ description: "Why it was rejected, or that another plan took its place." }),
    replaces: z.string().nullable(),
    replacedBy: z.string().nullable(),
    undoes: z.string().nullable().meta({ description: "The applied plan that this one takes back." }),
    nodes: z.int(),
    waves: z.int().nullable().meta({ description: "In how many waves it runs; null before it was started." }),
    kinds: z.array(z.string()),
    bytes: z.int(),
    management: z.array(z.string()),
    skipped: z
      .array(z.strictObject({ node: z.string(), name: z.string() }))
      .meta({ description: "Hosts that were not connected: the plan is not for them." }),
    findings: z
      .strictObject({ refuse: z.int(), warn: z.int(), note: z.int() })
      .meta({ description: "How many things the lint found." }),
    approvals: z.array(planApproval),
    awaiting: z.int().nullable().meta({
      description: "Hosts that take changes and have not enough approvals yet; null before the first approval.",
    }),
    needed: z.int().nullable().meta({
      description:
        "How many persons the host asks for that asks for most; 0 where no host takes changes, null in plans of before it was kept.",
    }),
    ended: z
      .partialRecord(z.enum(taskStates), z.int())
      .nullable()
      .meta({ description: "How many tasks ended in which state; null before all have ended." }),
  })
  .meta({ id: "Plan" });
export type Plan = z.output<typeof plan>;

export const planFinding = z
  .strictObject({
    severity: z.enum(lintSeverities),
    code: z.string(),
    says: z.string(),
    operation: z.int().meta({ description: "Which operation of the section, counted from 0." }),
    packet: z.string().nullable().meta({ description: "The packet that would not be let in." }),
  })
  .meta({ id: "PlanFinding" });
export type PlanFinding = z.output<typeof planFinding>;

export const planSectionView = z
  .strictObject({
    index: z.int(),
    node: z.string(),
    name: z.string().meta({ description: "What people called the node when the plan was made." }),
    operations: z.array(
      z.strictObject({
        kind: z.string(),
        words: z.array(z.string()),
        diff: z.array(z.strictObject({ mark: z.enum(["same", "added", "removed"]), text: z.string() })),
      }),
    ),
    preconditions: z.array(z.strictObject({ subject: z.string(), state: z.string() })),
    findings: z.array(planFinding),
    accepts: z.enum(acceptsModes).nullable().meta({
      description: "How root of the host lets changes be approved, as it signed it; null where it did not say.",
    }),
    states: z
      .string()
      .nullable()
      .meta({ description: "What the host said of these parts, signed by its host key, in base64url." }),
    statesAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "PlanSection" });
export type PlanSectionView = z.output<typeof planSectionView>;

const params = z.strictObject({ id: planId });

export const plansRoute = {
  method: "GET",
  path: "/api/plans",
  summary: "Lists plans, the newest first.",
  access: { kind: "scope", scope: "plan:read", nodes: "every" },
  query: z.strictObject({
    state: z.enum(planStates).optional(),
    waiting: z
      .literal("me")
      .optional()
      .meta({ description: "Those in review that the caller could approve and has not." }),
    limit: limitOf(200, 50),
    cursor: planId.optional(),
  }),
  responses: { 200: listOf(plan) },
} as const satisfies RouteSpec;

const about = {
  nodes: z.array(nodeId).min(1).max(planSize.nodes).optional(),
  tags: z.array(nodeTag).min(1).max(16).optional().meta({ description: "Nodes that have one of them." }),
  skipOffline: z
    .boolean()
    .optional()
    .meta({ description: "Go on without hosts that are not connected; they are named." }),
  management: z
    .array(z.string().max(64))
    .max(32)
    .optional()
    .meta({ description: "Networks from which people reach these hosts: the lint refuses what would cut them off." }),
  expiresInHours: z.int().min(planLifetimes.least).max(planLifetimes.most).optional(),
  review: z.boolean().optional().meta({ description: "False keeps it out of review for now." }),
  replaces: planId.optional().meta({ description: "The caller's own plan that this one takes the place of." }),
};

export const createPlanRoute = {
  method: "POST",
  path: "/api/plans",
  summary:
    "Makes a plan: asks the hosts what they are like now, and a plugin what to change, or takes a person's operations. Changes no host.",
  access: { kind: "scope", scope: "plan:create", nodes: "every" },
  headers: z.object({ "idempotency-key": idempotencyKey }),
  body: z.union([
    z.strictObject({ plugin: pluginId, input: json, ...about }),
    z.strictObject({
      title: visibleText(120),
      summary: visibleText(500),
      operations: z.array(json).min(1).max(64).meta({ description: "docs/plugins/plan-format.md has their forms." }),
      ...about,
    }),
  ]),
  responses: { 201: plan },
  faults: [
    "plan.no_nodes",
    "plan.node_offline",
    "plan.node_refused",
    "plan.draft_refused",
    "plan.artifact",
    "plan.too_large",
    "plan.unknown",
    "plan.not_own",
    "plan.person_needed",
    "plan.move_refused",
    "plugin.unknown",
    "plugin.not_active",
    "plugin.action_failed",
    "plugin.breaker_open",
    "plugin.busy",
    "node.unknown",
    "request.key_reused",
  ],
} as const satisfies RouteSpec;

const { nodes, skipOffline, management, expiresInHours, review } = about;

export const undoPlanRoute = {
  method: "POST",
  path: "/api/plans/:id/undo",
  summary:
    "Makes the plan that takes an applied one back: what its hosts had before, from what they signed then. It goes the way of every plan, and changes no host.",
  access: { kind: "scope", scope: "plan:create", nodes: "every" },
  params,
  headers: z.object({ "idempotency-key": idempotencyKey }),
  body: z.strictObject({
    nodes: nodes.meta({ description: "Of the hosts that the plan has changed. Without it, all of them." }),
    skipOffline,
    management,
    expiresInHours,
    review,
  }),
  responses: { 201: plan },
  faults: [
    "plan.unknown",
    "plan.move_refused",
    "plan.not_undoable",
    "plan.no_nodes",
    "plan.node_offline",
    "plan.node_refused",
    "plan.artifact",
    "plan.too_large",
    "plan.bytes_missing",
    "node.unknown",
    "request.key_reused",
  ],
} as const satisfies RouteSpec;

export const planRoute = {
  method: "GET",
  path: "/api/plans/:id",
  summary: "Shows one plan; the ETag is what a change has to send as If-Match.",
  access: { kind: "scope", scope: "plan:read", nodes: "every" },
  params,
  responses: { 200: plan },
  faults: ["plan.unknown"],
} as const satisfies RouteSpec;

export const planDocumentRoute = {
  method: "GET",
  path: "/api/plans/:id/document",
  summary: "The plan itself, in its one byte form: whoever has these bytes can compute the digest.",
  access: { kind: "scope", scope: "plan:read", nodes: "every" },
  params,
  responses: { 200: { mediaType: "application/json" } },
  faults: ["plan.unknown", "plan.bytes_missing"],
} as const satisfies RouteSpec;

export const planQuestionRoute = {
  method: "GET",
  path: "/api/plans/:id/question",
  summary: "What the plugin was asked: asked the same again, it must give the same plan.",
  access: { kind: "scope", scope: "plan:read", nodes: "every" },
  params,
  responses: { 200: { mediaType: "application/json" } },
  faults: ["plan.unknown", "plan.bytes_missing"],
} as const satisfies RouteSpec;

export const planSectionsRoute = {
  method: "GET",
  path: "/api/plans/:id/sections",
  summary: "What the plan does on each node: in words, beside what is there now, with what the lint found.",
  access: { kind: "scope", scope: "plan:read", nodes: "every" },
  params,
  query: z.strictObject({
    node: nodeId.optional(),
    limit: limitOf(100, 20),
    cursor: z
      .string()
      .regex(/^(0|[1-9][0-9]{0,4})$/)
      .optional(),
  }),
  responses: { 200: listOf(planSectionView) },
  faults: ["plan.unknown", "plan.bytes_missing"],
} as const satisfies RouteSpec;

export const reviewPlanRoute = {
  method: "POST",
  path: "/api/plans/:id/review",
  summary: "Offers a plan for review. One that the lint refuses cannot be offered.",
  access: { kind: "scope", scope: "plan:create", nodes: "every" },
  params,
  headers: z.object({ "if-match": ifMatch }),
  responses: { 200: plan },
  faults: ["plan.unknown", "plan.move_refused", "plan.lint_refused", "plan.person_needed", "request.stale"],
} as const satisfies RouteSpec;

export const withdrawPlanRoute = {
  method: "POST",
  path: "/api/plans/:id/withdrawal",
  summary: "Takes a plan of one's own back.",
  access: { kind: "scope", scope: "plan:create", nodes: "every" },
  params,
  headers: z.object({ "if-match": ifMatch }),
  bodyLimit: 8 * 1024,
  body: z.strictObject({ reason: reason.optional() }),
  responses: { 200: plan },
  faults: ["plan.unknown", "plan.not_own", "plan.person_needed", "plan.move_refused", "request.stale"],
} as const satisfies RouteSpec;

export const rejectPlanRoute = {
  method: "POST",
  path: "/api/plans/:id/rejection",
  summary: "Rejects a plan that is in review or approved, with a reason.",
  access: { kind: "scope", scope: "plan:approve", nodes: "every" },
  params,
  headers: z.object({ "if-match": ifMatch }),
  bodyLimit: 8 * 1024,
  body: z.strictObject({ reason }),
  responses: { 200: plan },
  faults: ["plan.unknown", "plan.move_refused", "request.stale"],
} as const satisfies RouteSpec;

import * as z from "zod";
import { idOf } from "../id-form.ts";
import { taskStates, taskSteps } from "../plan-states.ts";
import { planHaltRule, wantedRun, waveKinds, waveStates } from "../plan-waves.ts";
import { toldOfSection } from "../told-lines.ts";
import { visibleText } from "../visible-text.ts";
import { ifMatch, limitOf, listOf } from "./list-shape.ts";
import { orderMinutes, planApproval, rollbackWindows } from "./plan-approval.ts";
import type { RouteSpec } from "./route.ts";
import { plan } from "./routes-plans.ts";

const params = z.strictObject({ id: idOf("plan") });
const base64 = (most: number) =>
  z
    .base64()
    .min(4)
    .max(Math.ceil(most / 3) * 4);

export const planSignature = z
  .strictObject({
    ...planApproval.shape,
    statement: z
      .string()
      .nullable()
      .meta({ description: "What was signed, in base64; null for a word to the server." }),
    ssh: z
      .string()
      .nullable()
      .meta({ description: "The signature over it, as `ssh-keygen -Y sign` makes it, in base64." }),
  })
  .meta({ id: "PlanSignature" });
export type PlanSignature = z.output<typeof planSignature>;

export const planApprovalsRoute = {
  method: "GET",
  path: "/api/plans/:id/approvals",
  summary:
    "The approvals of a plan with their bytes: another approver signs the same statement, or a person checks them.",
  access: { kind: "scope", scope: "plan:read", nodes: "every" },
  params,
  responses: { 200: listOf(planSignature) },
  faults: ["plan.unknown", "plan.bytes_missing"],
} as const satisfies RouteSpec;

export const approvePlanRoute = {
  method: "POST",
  path: "/api/plans/:id/approvals",
  summary:
    "Takes an approval of the plan's exact bytes. It is judged as its hosts will judge it; what no host would take is refused with the host's own code.",
  access: { kind: "scope", scope: "plan:approve", nodes: "every", stepUp: "sessions" },
  params,
  headers: z.object({ "if-match": ifMatch }),
  bodyLimit: 64 * 1024,
  body: z.union([
    z.strictObject({ statement: base64(8 * 1024), ssh: base64(8 * 1024) }),
    z.strictObject({
      server: z.literal(true).meta({ description: "For the hosts that trust this server; nobody signs." }),
      notBefore: z.iso
        .datetime()
        .optional()
        .meta({ description: "From when on it holds, so that its end is within 31 days. Without it, from now on." }),
      minutes: z.int().min(orderMinutes.least).max(orderMinutes.most).optional(),
      rollbackWindow: z.int().min(rollbackWindows.least).max(rollbackWindows.most).optional(),
    }),
  ]),
  responses: { 200: plan },
  faults: [
    "plan.unknown",
    "plan.move_refused",
    "plan.self_approval",
    "plan.no_host_takes",
    "plan.bytes_missing",
    "plan.stopped",
    "request.stale",
    "key.weak",
    "key.type",
    "trust.expired",
    "trust.unsound",
    "statement.malformed",
    "statement.kind",
    "statement.differ",
    "statement.plan",
    "statement.node",
    "statement.trust",
    "statement.limits",
    "time.issued_in_future",
    "time.expired",
    "time.too_long",
    "signature.key_unknown",
    "signature.format",
    "signature.namespace",
    "signature.presence",
    "signature.invalid",
  ],
} as const satisfies RouteSpec;

export const applyPlanRoute = {
  method: "POST",
  path: "/api/plans/:id/apply",
  summary:
    "Starts an approved plan, or goes on with one that was halted: every host gets its section and judges it by itself. Without a body all hosts get it at once; in waves, the first host that does not keep the change halts the plan unless something else is said.",
  access: { kind: "scope", scope: "plan:apply", nodes: "every", stepUp: "sessions" },
  params,
  headers: z.object({ "if-match": ifMatch }),
  bodyLimit: 8 * 1024,
  body: wantedRun.optional(),
  responses: { 200: plan },
  faults: [
    "plan.unknown",
    "plan.move_refused",
    "plan.not_approved",
    "plan.waves",
    "plan.stopped",
    "plan.bytes_missing",
    "request.stale",
  ],
} as const satisfies RouteSpec;

export const haltPlanRoute = {
  method: "POST",
  path: "/api/plans/:id/halt",
  summary: "Halts one plan: nothing more of it is begun on any host. Hosts under way end by themselves.",
  // As the stop of all plans: it takes power, and no proof is asked for.
  access: { kind: "scope", scope: "plan:stop", nodes: "every" },
  params,
  bodyLimit: 8 * 1024,
  body: z.strictObject({ reason: visibleText(500) }),
  responses: { 200: plan },
  faults: ["plan.unknown", "plan.move_refused"],
} as const satisfies RouteSpec;

export const planWave = z
  .strictObject({
    index: z.int(),
    kind: z.enum(waveKinds),
    tag: z.string().nullable(),
    nodes: z.int(),
    state: z.enum(waveStates),
    tasks: z
      .partialRecord(z.enum(taskStates), z.int())
      .meta({ description: "How many of its tasks are in which state, by what their hosts have signed." }),
  })
  .meta({ id: "PlanWave" });
export type PlanWave = z.output<typeof planWave>;

export const planWavesRoute = {
  method: "GET",
  path: "/api/plans/:id/waves",
  summary: "The waves of a plan that was started, how far each is, and when the plan halts by itself.",
  access: { kind: "scope", scope: "plan:read", nodes: "every" },
  params,
  responses: {
    200: z.strictObject({ items: z.array(planWave), halt: planHaltRule.nullable() }).meta({ id: "PlanWaves" }),
  },
  faults: ["plan.unknown"],
} as const satisfies RouteSpec;
export type PlanWaves = z.output<(typeof planWavesRoute)["responses"][200]>;

export const planTask = z
  .strictObject({
    id: z.string(),
    plan: z.string(),
    index: z.int().meta({ description: "The place of its section in the plan." }),
    node: z.string(),
    name: z.string(),
    wave: z.int().meta({ description: "In which wave it is; the first is 0." }),
    state: z.enum(taskStates),
    stateAt: z.iso.datetime(),
    approval: z.string().nullable(),
    code: z.string().nullable().meta({ description: "Why it ended so: a code of docs/errors.md." }),
    detail: z.string().nullable(),
    outcome: z
      .string()
      .nullable()
      .meta({ description: "The host's own word about its end, signed with its host key, in base64url." }),
    told: toldOfSection.meta({
      description:
        "What operations that only read have told, each by its place in the section: lines of a log, or a code of docs/errors.md. It stands in the signed outcome.",
    }),
    step: z
      .strictObject({
        state: z.enum(taskSteps),
        at: z.iso.datetime(),
        armedAt: z.iso.datetime().nullable().meta({
          description: "When the host told that its timer is set; null before, and where that was not heard.",
        }),
      })
      .nullable()
      .meta({ description: "The last step that the host has told of. It is shown and never kept: the end counts." }),
  })
  .meta({ id: "PlanTask" });
export type PlanTask = z.output<typeof planTask>;

export const planTasksRoute = {
  method: "GET",
  path: "/api/plans/:id/tasks",
  summary: "What became of the plan on each of its hosts, in the plan's order.",
  access: { kind: "scope", scope: "plan:read", nodes: "every" },
  params,
  query: z.strictObject({
    state: z.enum(taskStates).optional(),
    notable: z
      .literal("yes")
      .optional()
      .meta({ description: "Those under way, and those that have ended without the change." }),
    limit: limitOf(500, 100),
    cursor: z
      .string()
      .regex(/^(0|[1-9][0-9]{0,4})$/)
      .optional(),
  }),
  responses: { 200: listOf(planTask) },
  faults: ["plan.unknown", "plan.bytes_missing"],
} as const satisfies RouteSpec;

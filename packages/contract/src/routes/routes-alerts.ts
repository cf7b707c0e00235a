import * as z from "zod";
import { alertKinds, alertNodes, alertWatch, builtInAlertRules } from "../alerts.ts";
import { idOf } from "../id-form.ts";
import { metrics } from "../metrics.ts";
import { nodeId } from "../node-id.ts";
import { visibleText } from "../visible-text.ts";
import { idempotencyKey, limitOf, listOf } from "./list-shape.ts";
import type { RouteSpec } from "./route.ts";

const alertId = idOf("alert");
const silenceId = idOf("silence");
/** Those that are always there have a word for an id. */
export const alertRuleId = z.union([
  z.enum(Object.keys(builtInAlertRules) as (keyof typeof builtInAlertRules)[]),
  idOf("rule"),
]);

const acknowledgement = z.strictObject({
  by: z.string().meta({ description: "A user's id, or token:ID." }),
  name: z.string().nullable().meta({ description: "The name of that user, or of whoever issued the token." }),
  at: z.iso.datetime(),
  note: z.string().nullable(),
});

export const alert = z
  .strictObject({
    id: z.string(),
    rule: z.string(),
    name: z.string().meta({ description: "Of the rule." }),
    kind: z.enum(alertKinds),
    node: z.string(),
    nodeName: z.string(),
    condition: z.string().meta({ description: "In words: Disk over 90 % for 5 min." }),
    value: z
      .number()
      .nullable()
      .meta({ description: "The newest one: of the metric, or how often a flapping node connected anew." }),
    threshold: z.number().nullable(),
    unit: z.enum(Object.values(metrics).map(({ unit }) => unit)).nullable(),
    since: z.iso.datetime().meta({ description: "When what it is about began; it opened later." }),
    openedAt: z.iso.datetime(),
    acknowledged: acknowledgement.nullable(),
    silencedUntil: z.iso.datetime().nullable(),
  })
  .meta({ id: "Alert" });
export type Alert = z.output<typeof alert>;

export const alertsRoute = {
  method: "GET",
  path: "/api/alerts",
  summary: "Lists open alerts, the oldest first. What has ended stands in the audit log.",
  access: { kind: "scope", scope: "node:read", nodes: "filtered" },
  query: z.strictObject({
    node: nodeId.optional(),
    rule: alertRuleId.optional(),
    limit: limitOf(1_000, 100),
    cursor: alertId.optional(),
  }),
  responses: {
    200: z.strictObject({
      ...listOf(alert).shape,
      open: z.int().meta({ description: "Of all nodes that the caller may see." }),
      unkept: z.int().nullable().meta({
        description:
          "Alerts that are not kept because too many are open; null for a caller who may see some nodes only.",
      }),
    }),
  },
} as const satisfies RouteSpec;

export const acknowledgeAlertRoute = {
  method: "POST",
  path: "/api/alerts/:id/acknowledgement",
  summary: "Says that somebody looks after an alert. The first one stays.",
  access: { kind: "scope", scope: "node:admin", nodes: "filtered" },
  params: z.strictObject({ id: alertId }),
  bodyLimit: 8 * 1024,
  body: z.strictObject({ note: visibleText(500).optional() }),
  responses: { 200: alert },
  faults: ["alert.unknown"],
} as const satisfies RouteSpec;

const ruleFields = {
  name: visibleText(64),
  enabled: z.boolean(),
  watch: alertWatch,
  appliesTo: alertNodes,
};

export const alertRule = z
  .strictObject({
    id: z.string(),
    ...ruleFields,
    condition: z.string(),
    builtIn: z.boolean(),
    changedAt: z.iso.datetime().nullable().meta({ description: "null where nobody has changed it." }),
    changedBy: z.string().nullable(),
    open: z.int().meta({ description: "Alerts of it that are open, of nodes that the caller may see." }),
  })
  .meta({ id: "AlertRule" });
export type AlertRule = z.output<typeof alertRule>;

export const alertRulesRoute = {
  method: "GET",
  path: "/api/alert-rules",
  summary: "Lists alert rules, those that are always there first.",
  access: { kind: "scope", scope: "node:read", nodes: "filtered" },
  responses: { 200: listOf(alertRule) },
} as const satisfies RouteSpec;

export const alertRuleRoute = {
  method: "GET",
  path: "/api/alert-rules/:id",
  summary: "Shows one alert rule; the ETag is what a change has to send as If-Match.",
  access: { kind: "scope", scope: "node:read", nodes: "every" },
  params: z.strictObject({ id: alertRuleId }),
  responses: { 200: alertRule },
  faults: ["alert.rule_unknown"],
} as const satisfies RouteSpec;

export const createAlertRuleRoute = {
  method: "POST",
  path: "/api/alert-rules",
  summary: "Makes an alert rule.",
  access: { kind: "scope", scope: "node:admin", nodes: "every" },
  bodyLimit: 16 * 1024,
  headers: z.object({ "idempotency-key": idempotencyKey }),
  body: z.strictObject({ ...ruleFields, enabled: z.boolean().optional(), appliesTo: alertNodes.optional() }),
  responses: { 201: alertRule },
  faults: ["alert.too_many_rules", "request.key_reused"],
} as const satisfies RouteSpec;

/** A rule that is always there and that nobody has changed has the version 0. */
const ruleMatch = z.object({
  "if-match": z
    .string()
    .regex(/^"(0|[1-9][0-9]{0,15})"$/, "must be the ETag the rule was read with")
    .meta({ description: "The ETag the rule was read with; a rule that changed since is not touched." }),
});

export const changeAlertRuleRoute = {
  method: "PATCH",
  path: "/api/alert-rules/:id",
  summary: "Changes an alert rule, or switches it off or on; what is named is replaced whole.",
  access: { kind: "scope", scope: "node:admin", nodes: "every" },
  params: z.strictObject({ id: alertRuleId }),
  headers: ruleMatch,
  bodyLimit: 16 * 1024,
  body: z
    .strictObject(ruleFields)
    .partial()
    .refine((body) => Object.keys(body).length > 0, "must name something to change"),
  responses: { 200: alertRule },
  faults: ["alert.rule_unknown", "alert.rule_kind", "request.stale"],
} as const satisfies RouteSpec;

export const removeAlertRuleRoute = {
  method: "DELETE",
  path: "/api/alert-rules/:id",
  summary: "Removes an alert rule; its alerts end within a minute.",
  access: { kind: "scope", scope: "node:admin", nodes: "every" },
  params: z.strictObject({ id: alertRuleId }),
  headers: ruleMatch,
  responses: { 204: null },
  faults: ["alert.rule_unknown", "alert.rule_built_in", "request.stale"],
} as const satisfies RouteSpec;

export const alertSilence = z
  .strictObject({
    id: z.string(),
    appliesTo: alertNodes,
    rule: z.string().nullable().meta({ description: "Only alerts of this rule; null means every rule." }),
    until: z.iso.datetime(),
    reason: z.string(),
    at: z.iso.datetime(),
    by: z.string(),
  })
  .meta({ id: "AlertSilence" });
export type AlertSilence = z.output<typeof alertSilence>;

export const alertSilencesRoute = {
  method: "GET",
  path: "/api/alert-silences",
  summary: "Lists silences that have not ended.",
  access: { kind: "scope", scope: "node:read", nodes: "filtered" },
  responses: { 200: listOf(alertSilence) },
} as const satisfies RouteSpec;

export const createAlertSilenceRoute = {
  method: "POST",
  path: "/api/alert-silences",
  summary: "Silences alerts for a time: they open and are shown, and nobody is told.",
  access: { kind: "scope", scope: "node:admin", nodes: "every" },
  bodyLimit: 16 * 1024,
  headers: z.object({ "idempotency-key": idempotencyKey }),
  body: z.strictObject({
    appliesTo: alertNodes,
    rule: alertRuleId.optional(),
    until: z.iso.datetime(),
    reason: visibleText(500),
  }),
  responses: { 201: alertSilence },
  faults: ["alert.rule_unknown", "alert.silence_time", "alert.too_many_silences", "request.key_reused"],
} as const satisfies RouteSpec;

export const removeAlertSilenceRoute = {
  method: "DELETE",
  path: "/api/alert-silences/:id",
  summary: "Ends a silence now.",
  access: { kind: "scope", scope: "node:admin", nodes: "every" },
  params: z.strictObject({ id: silenceId }),
  responses: { 204: null },
  faults: ["alert.silence_unknown"],
} as const satisfies RouteSpec;

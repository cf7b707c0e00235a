import * as z from "zod";
import { alertKinds } from "../alerts.ts";
import { drawnMetrics } from "../metrics.ts";
import { defineKind, moment, type RecordOf, text } from "./record-kind.ts";

/** Without the bounds that a route sets: one that becomes narrower later makes no record unreadable. */
const watch = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("metric"),
    metric: z.enum(drawnMetrics),
    crosses: z.enum(["above", "below"]),
    threshold: z.number(),
    holdMinutes: z.number(),
    recover: z.strictObject({ threshold: z.number(), minutes: z.number() }),
  }),
  z.strictObject({ kind: z.literal("offline"), holdMinutes: z.number() }),
  z.strictObject({ kind: z.literal("flapping"), times: z.number(), minutes: z.number() }),
]);
const appliesTo = z.union([
  z.strictObject({ all: z.literal(true) }),
  z.strictObject({ tags: z.array(text) }),
  z.strictObject({ nodes: z.array(text) }),
]);

/** What a reader needs of its rule and its node stands in it: both may be gone when it ends. */
export const alertKind = defineKind({
  name: "alert",
  says: "An alert that is open: a rule that a node has crossed, since when, and who has acknowledged it.",
  schema: z.strictObject({
    id: text,
    rule: text,
    /** The rule's name and its condition in words, as they were when it opened; likewise the node's name. */
    name: text,
    condition: text,
    kind: z.enum(alertKinds),
    node: text,
    nodeName: text,
    since: moment,
    openedAt: moment,
    /** When it opened. */
    value: z.number().nullable(),
    acknowledged: z.strictObject({ by: text, name: text.nullable(), at: moment, note: text.nullable() }).nullable(),
  }),
  heardWith: "node:read",
  kept: "until it has recovered, or its node or its rule is gone",
});
export type AlertRecord = RecordOf<typeof alertKind>;

export const alertRuleKind = defineKind({
  name: "alert-rule",
  says: "A rule that opens alerts: one that somebody made, or one that is always there and that somebody changed.",
  schema: z.strictObject({
    id: text,
    name: text,
    enabled: z.boolean(),
    watch,
    appliesTo,
    changedAt: moment,
    changedBy: text,
  }),
  heardWith: "node:read",
  kept: "until it is removed",
});
export type AlertRuleRecord = RecordOf<typeof alertRuleKind>;

export const alertSilenceKind = defineKind({
  name: "alert-silence",
  says: "Alerts of which nobody is to be told for a time, and why.",
  schema: z.strictObject({
    id: text,
    appliesTo,
    rule: text.nullable(),
    until: moment,
    reason: text,
    at: moment,
    by: text,
  }),
  heardWith: "node:read",
  kept: "until it ends, 30 days at most",
});
export type AlertSilenceRecord = RecordOf<typeof alertSilenceKind>;

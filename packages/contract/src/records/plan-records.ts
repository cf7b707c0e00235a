import * as z from "zod";
import { lintSeverities } from "../plan-findings.ts";
import { planStates } from "../plan-states.ts";
import { defineKind, moment, type RecordOf, text } from "./record-kind.ts";

const source = z.union([
  z.strictObject({ from: z.literal("person") }),
  z.strictObject({
    from: z.literal("plugin"),
    plugin: text,
    version: text,
    artifactSha256: text,
    inputSha256: text,
  }),
]);

/** The plan itself and what the hosts said are blobs: a record is small whatever the plan is for. */
export const planKind = defineKind({
  name: "plan",
  says: "A plan: whose it is, what became of it, and the digests of its bytes and of what the hosts said when it was made.",
  schema: z.strictObject({
    id: text,
    /** What approvers sign. */
    digest: text,
    /** Names of blobs: the byte form of the plan; what it was made from, node by node; the question that a plugin was asked. */
    document: text,
    evidence: text,
    question: text.exactOptional(),
    title: text,
    summary: text,
    source,
    /** A user's id, and under what they acted. */
    author: text,
    actor: text,
    createdAt: moment,
    expiresAt: moment,
    state: z.enum(planStates),
    stateAt: moment,
    /** Who moved it into its state, and why. */
    movedBy: text,
    reason: text.exactOptional(),
    replaces: text.exactOptional(),
    replacedBy: text.exactOptional(),
    nodes: z.number(),
    kinds: z.array(text),
    bytes: z.number(),
    /** Networks from which people reach the hosts, for the lint. */
    management: z.array(text),
    /** Hosts that were not connected, where the author said to go on without them. */
    skipped: z.array(z.strictObject({ node: text, name: text })),
    findings: z.record(z.enum(lintSeverities), z.number()),
  }),
  heardWith: "plan:read",
  kept: "until 90 days after it ended",
});
export type PlanRecord = RecordOf<typeof planKind>;

export const serverSettingsKind = defineKind({
  name: "settings",
  says: "What owners decided while the server runs: whether authors may approve their own plans, and whether all plans are stopped. There is one such record.",
  schema: z.strictObject({
    plans: z.strictObject({
      selfApproval: z.boolean(),
      stopped: z.strictObject({ at: moment, by: text, reason: text }).nullable(),
    }),
  }),
  heardWith: "plan:read",
  kept: "for ever",
});
export const serverSettingsKey = serverSettingsKind.key("main");
export type ServerSettingsRecord = RecordOf<typeof serverSettingsKind>;

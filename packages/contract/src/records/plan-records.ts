import * as z from "zod";
import { lintSeverities } from "../plan-findings.ts";
import { planStates, taskStates } from "../plan-states.ts";
import { planHaltRule, waveKinds } from "../plan-waves.ts";
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

/** One signature of an approver, or a person's word that hosts take which trust this server. */
const approval = z.strictObject({
  /** 16 bytes in hexadecimal: by them a host knows it was used. Signatures under one statement share it. */
  id: text,
  kind: z.enum(["signed", "server"]),
  /** A user's id, and under what they acted. */
  user: text,
  by: text,
  at: moment,
  /** Of `signed`: which key, and the blob that holds statement and signature as a host takes them. */
  keyId: text.exactOptional(),
  fingerprint: text.exactOptional(),
  container: text.exactOptional(),
  notBefore: moment,
  notAfter: moment,
  /** Seconds. */
  rollbackWindow: z.number(),
  /** For how many of the plan's sections. */
  sections: z.number(),
});

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
    /** In the order in which they came. Absent in plans of 0.2.1-alpha.1, as are the fields below. */
    approvals: z.array(approval).exactOptional(),
    /** Sections whose hosts take changes and have not enough approvals yet. */
    awaiting: z.number().exactOptional(),
    /** Persons that the host asks for which asks for most, as its hosts said when it was made. */
    needed: z.number().exactOptional(),
    /** The blob of how each task ended, and how many ended in which state. */
    outcomes: text.exactOptional(),
    ended: z.partialRecord(z.enum(taskStates), z.number()).exactOptional(),
    /** Digests of the artifacts that its operations name. They stay until it has ended. */
    artifacts: z.array(text).exactOptional(),
    /** How it runs, as it was started. Absent in plans that were started before there were waves. */
    run: z
      .strictObject({
        waves: z.array(
          z.strictObject({
            kind: z.enum(waveKinds),
            tag: text.exactOptional(),
            nodes: z.number(),
            /** How many of its tasks ended in which state, once the plan has ended. */
            ended: z.partialRecord(z.enum(taskStates), z.number()).exactOptional(),
          }),
        ),
        /** The blob of which wave each section is in: two bytes each. Absent where there is one wave. */
        order: text.exactOptional(),
        halt: planHaltRule.nullable(),
        /** Hosts of each wave that had not kept the change when somebody went on in spite of them. */
        forgiven: z.array(z.number()),
      })
      .exactOptional(),
    /** The applied plan that it takes back. */
    undoes: text.exactOptional(),
  }),
  heardWith: "plan:read",
  kept: "until 90 days after it ended",
});
export type PlanRecord = RecordOf<typeof planKind>;
export type PlanApproval = NonNullable<PlanRecord["approvals"]>[number];

export const taskKind = defineKind({
  name: "task",
  says: "What a plan is for one node: sent to it, and how it ended there. When the plan has ended its tasks are one blob.",
  schema: z.strictObject({
    id: text,
    plan: text,
    /** The place of its section in the plan. */
    index: z.number(),
    node: text,
    /** What people called it when the plan was made. */
    name: text,
    /** Absent in the first. */
    wave: z.number().exactOptional(),
    state: z.enum(taskStates),
    stateAt: moment,
    /** The approval that it was sent under. */
    approval: text.exactOptional(),
    /** What the host, or the server, said about its end. */
    code: text.exactOptional(),
    detail: text.exactOptional(),
    /** The host's own word about its end, signed with its host key, in base64url. Absent where the host had not begun. */
    outcome: text.exactOptional(),
  }),
  heardWith: "plan:read",
  kept: "until its plan has ended",
});
export type TaskRecord = RecordOf<typeof taskKind>;

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

import * as z from "zod";
import { limitOf, listOf } from "./list-shape.ts";
import { auditCheckStates } from "../audit-check-states.ts";
import { nodeId } from "../node-id.ts";
import { witnessCodes, witnessStates } from "../witness-words.ts";
import type { RouteSpec } from "./route.ts";

const position = z.string().regex(/^[1-9][0-9]{0,15}$/, "must be a position: a whole number from 1");

export const auditEntry = z
  .strictObject({
    position: z.int().min(1),
    at: z.iso.datetime(),
    actor: z
      .string()
      .meta({ description: "A user's id, token:<id>, node:<id>, plugin:<id>, system, cli or anonymous." }),
    action: z.string(),
    subject: z.string(),
    outcome: z.enum(["done", "refused", "failed"]),
    requestId: z.string().nullable(),
    address: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntryView = z.output<typeof auditEntry>;

export const auditRoute = {
  method: "GET",
  path: "/api/audit",
  summary: "Searches the audit log, the newest first. All conditions hold together.",
  access: { kind: "scope", scope: "audit:read", nodes: "every" },
  query: z.strictObject({
    actor: z.string().min(1).max(200).optional(),
    action: z
      .string()
      .regex(
        /^[a-z][a-z0-9_-]{0,40}\.[a-z0-9_.-]{0,60}$/,
        "must be an action, or a noun with a dot for all its actions",
      )
      .optional()
      .meta({ description: "An action, or a noun with a trailing dot for all of its actions: `plugin.`" }),
    subject: z.string().min(1).max(240).optional(),
    from: z.iso.datetime().optional().meta({ description: "Inclusive." }),
    to: z.iso.datetime().optional().meta({ description: "Exclusive." }),
    text: z.string().min(1).max(200).optional().meta({ description: "Words; each must begin some word of the entry." }),
    limit: limitOf(200, 50),
    cursor: position.optional(),
  }),
  responses: { 200: listOf(auditEntry) },
  faults: ["store.log_damaged", "store.archive_damaged"],
} as const satisfies RouteSpec;

const brokenFields = { file: z.string(), position: z.int(), expected: z.string(), found: z.string() };
const head = z.strictObject({ position: z.int().min(0), link: z.string() });

export const auditVerifyRoute = {
  method: "GET",
  path: "/api/audit/verify",
  summary: "Walks the whole audit chain and recomputes every link.",
  access: { kind: "scope", scope: "audit:read", nodes: "every" },
  // It reads every record there is.
  rate: { perMinute: 12, burst: 12 },
  responses: {
    200: z
      .strictObject({
        ok: z.boolean(),
        floor: head.meta({ description: "Verification starts after this; not 0 when older records were pruned." }),
        head,
        records: z.int().min(0),
        broken: z.strictObject(brokenFields).nullable(),
      })
      .meta({ id: "AuditVerification" }),
  },
} as const satisfies RouteSpec;

const finding = z.strictObject({ ...brokenFields, todo: z.string() });

export const auditCheckRoute = {
  method: "GET",
  path: "/api/audit/check",
  summary:
    "What the check in the background found: it reads the whole audit log after the start and once a day, and what is new every minute. Damage that any reader meets counts at once.",
  access: { kind: "scope", scope: "audit:read", nodes: "every" },
  responses: {
    200: z
      .strictObject({
        state: z.enum(auditCheckStates),
        isRunning: z.boolean(),
        endedAt: z.iso
          .datetime()
          .nullable()
          .meta({ description: "When the whole log was read last, or when the damage was met." }),
        position: z.int().min(0).nullable().meta({ description: "The newest record of the last whole reading." }),
        verified: z
          .strictObject({ position: z.int().min(0), at: z.iso.datetime() })
          .nullable()
          .meta({ description: "How far every link was recomputed, and when the last of them was." }),
        newer: z.int().min(0).meta({ description: "Records that were written since." }),
        begins: z.int().min(1).meta({ description: "The first record there is; not 1 when older ones were pruned." }),
        broken: finding.nullable(),
        rebuilt: finding
          .nullable()
          .meta({ description: "What search went by was not what the records say, and was made anew from them." }),
      })
      .meta({ id: "AuditCheck" }),
  },
} as const satisfies RouteSpec;

export const auditWitnessRoute = {
  method: "GET",
  path: "/api/audit/witness",
  summary: "The end of the audit chain, signed by the server: kept elsewhere, it shows later that nothing was cut off.",
  access: { kind: "scope", scope: "audit:read", nodes: "every" },
  responses: {
    200: z
      .strictObject({
        position: z.int().min(0),
        link: z.string(),
        server: z.string().meta({ description: "The server's Ed25519 public key, base64url of its 32 bytes." }),
        at: z.iso.datetime(),
        signature: z.string(),
      })
      .meta({ id: "AuditWitness" }),
  },
} as const satisfies RouteSpec;

const headFields = { n: z.int().min(1), position: z.int().min(0), at: z.iso.datetime() };

/** A host, and what it holds of this log. */
const auditWitness = z
  .strictObject({
    node: nodeId,
    name: z.string(),
    state: z.enum(witnessStates).meta({
      description:
        "agrees: the newest head, or the one before it. behind: an older one of this log. refuses: it does not take this log for the one that it saw. silent: it has told nothing since the server started, or is not connected.",
    }),
    n: z.int().min(1).nullable().meta({ description: "The number of the head that it holds." }),
    position: z.int().min(0).nullable(),
    link: z.string().nullable(),
    at: z.iso.datetime().nullable().meta({ description: "When the server signed that head." }),
    toldAt: z.iso.datetime().nullable().meta({ description: "When the host said so." }),
    code: z.enum(witnessCodes).nullable().meta({ description: "Why it refuses; null when it does not." }),
    since: z.iso.datetime().nullable(),
    detail: z.string().nullable().meta({ description: "The same in words, with how many entries are missing." }),
  })
  .meta({ id: "AuditWitnessHost" });
export type AuditWitnessView = z.output<typeof auditWitness>;

export const auditWitnessesRoute = {
  method: "GET",
  path: "/api/audit/witnesses",
  summary: "Which hosts hold a signed head of this log, and which of them do not take it for the one that they saw.",
  access: { kind: "scope", scope: "audit:read", nodes: "every" },
  query: z.strictObject({
    state: z.enum(witnessStates).optional(),
    limit: limitOf(500, 100),
    cursor: nodeId.optional(),
  }),
  responses: {
    200: z
      .strictObject({
        ...listOf(auditWitness).shape,
        head: z.strictObject(headFields).nullable().meta({ description: "The newest head that the server signed." }),
        summary: z
          .strictObject({
            agree: z.int().min(0),
            behind: z.int().min(0),
            refuse: z.int().min(0),
            silent: z.int().min(0),
            agreed: z
              .strictObject({ position: z.int().min(0), hosts: z.int().min(1) })
              .nullable()
              .meta({ description: "The newest position that a host which agrees holds, and how many hold it." }),
            first: auditWitness.nullable().meta({
              description: "The first host that knows better: of those that refuse, the one with the lowest position.",
            }),
          })
          .meta({ id: "AuditWitnessSummary" }),
      })
      .meta({ id: "AuditWitnesses" }),
  },
} as const satisfies RouteSpec;

import * as z from "zod";
import { witnessCodes } from "../witness-words.ts";
import { defineKind, moment, type RecordOf, sealedText, text } from "./record-kind.ts";

/** What a host has said of itself, signed by its host key; what stands beside it was judged against it. */
const facts = z.strictObject({
  number: z.number(),
  /** By the host's own clock. */
  at: moment,
  receivedAt: moment,
  agentVersion: text,
  agentSha256: text,
  arch: text,
  hostname: text,
  kernel: text,
  os: text,
  mode: text,
  ceilingDigest: text,
  /** The bytes of the ceiling as text: canonical JSON, whose digest is the one above. */
  ceiling: text,
  trustDigest: text,
  addresses: z.array(text),
  units: z.array(z.strictObject({ name: text, state: text })),
});

/** Its key is the id, and the id is a hash of the host key: no other host can have it. */
export const nodeKind = defineKind({
  name: "node",
  says: "A host that was enrolled, with the public keys of its helper and of its channel, and what it says of itself.",
  schema: z.strictObject({
    id: text,
    name: text,
    tags: z.array(text),
    notes: text,
    /** Set by a person; a place that was looked up is no record. */
    place: z.strictObject({ latitude: z.number(), longitude: z.number(), label: text.nullable() }).exactOptional(),
    /** Raw Ed25519 keys in base64url. */
    hostKey: text,
    channelKey: text,
    /** The one before, until the new one has been used: an agent that did not hear that its change was kept is still let in. */
    formerChannelKey: text.exactOptional(),
    /** When the host signed the newest change of its channel key. */
    channelKeyAt: moment,
    hostname: text,
    enrolledAt: moment,
    enrolledBy: text,
    enrolment: text,
    updatedAt: moment,
    revokedAt: moment.exactOptional(),
    facts: facts.exactOptional(),
  }),
  heardWith: "node:read",
  kept: "until the node is removed",
});
export type NodeRecord = RecordOf<typeof nodeKind>;

/** Its key follows from the code's secret, which is kept nowhere. */
export const enrolmentKind = defineKind({
  name: "enrolment",
  says: "A one-time code with which one host can enrol: the key of its MAC, and which host used it.",
  schema: z.strictObject({
    id: text,
    name: text.exactOptional(),
    tags: z.array(text),
    createdAt: moment,
    createdBy: text,
    notAfter: moment,
    macKey: sealedText,
    spent: z.strictObject({ at: moment, nodeId: text, hostKey: text, channelKey: text, address: text }).exactOptional(),
    revokedAt: moment.exactOptional(),
  }),
  sealed: ["macKey"],
  heardWith: "node:admin",
  kept: "until a day after it ended",
});
export type EnrolmentRecord = RecordOf<typeof enrolmentKind>;

/** A head of the audit log, as a host holds it. */
const heldHead = z.strictObject({ n: z.number(), position: z.number(), link: text, at: moment });

/** Until the host says that it is well again: a host that is away, and a server that starts anew, do not end it. */
export const witnessedKind = defineKind({
  name: "witnessed",
  says: "That a host does not take the audit log for the one that it saw, and why.",
  schema: z.strictObject({
    code: z.enum(witnessCodes),
    since: moment,
    reason: text,
    held: heldHead.exactOptional(),
  }),
  heardWith: "audit:read",
  kept: "until the host agrees again, or the node is removed",
});
export type WitnessedRecord = RecordOf<typeof witnessedKind>;

/** Apart from the node's own record: what a host reports does not stand in the way of a person who changes its name. */
export const nodeOutboxKind = defineKind({
  name: "node-outbox",
  says: "Up to which message of its outbox the server has what a node told of itself.",
  schema: z.strictObject({ acked: z.number() }),
  kept: "until the node is removed",
});
export type NodeOutboxRecord = RecordOf<typeof nodeOutboxKind>;

/** Apart from the node's own record as well: it comes and goes with what somebody does on the host. Its key is the node's id. */
export const nodeDriftKind = defineKind({
  name: "node-drift",
  says: "The parts of a host that are not, or cannot be said to be, what the change that was confirmed last has left there, as its helper signed it.",
  schema: z.strictObject({
    /** Of the message that it was kept from, and the host's time in it; an older message changes nothing. */
    number: z.number(),
    at: moment,
    receivedAt: moment,
    /** How many parts the host hashes again and again, and how many more differ than are named. */
    watched: z.number(),
    more: z.number(),
    items: z.array(
      z.strictObject({
        subject: text,
        /** Since when the server has heard it. */
        since: moment,
        state: z.enum(["differs", "missing", "unread"]),
        task: text,
        /** The digest of the plan. */
        plan: text,
        confirmedAt: moment,
        expected: text.nullable(),
        found: text.nullable(),
        why: text,
      }),
    ),
  }),
  kept: "until the node is removed",
});
export type NodeDriftRecord = RecordOf<typeof nodeDriftKind>;

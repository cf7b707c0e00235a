import { createHash, type KeyObject } from "node:crypto";
import { byteForm, type JsonObject } from "@gatehouse/base";
import { type Approval, orderFrame, sectionBits, type ServerOrder, writeContainer } from "@gatehouse/approval";
import { signBytes } from "@gatehouse/keys";
import { joinSigned } from "@gatehouse/keys/frame";
import {
  headerDigest,
  type Operation,
  planDigestOf,
  planSchemaOf,
  type PlanHeader,
  type PlanSection,
  sectionDigest,
  stateDigest,
  subjectsOf,
} from "@gatehouse/plan";
import type { KeptArtifact } from "../../apps/agent/src/tasks/kept-artifact.ts";
import { codeOf, signedBy } from "../../packages/approval/src/verify/approval-cases.ts";
import { type MadeKey, makeKey, makeSshSig, type SigParts } from "../../packages/approval/src/verify/ssh-key-cases.ts";

export { codeOf, type MadeKey, makeKey, makeSshSig, signedBy };

/**
 * Changes as a server sends them, made from nothing: `makePlan` for the bytes of a plan, `makeApprovals` for what approvers sign
 * (with keys of `makeKey`), `makeOrder` for what a server signs, and `makeTask` for all of it together.
 */
export interface MadePlan {
  readonly header: Uint8Array;
  readonly digests: Uint8Array;
  readonly section: Uint8Array;
  readonly planDigest: string;
  /** Where the host's section stands, and among how many. */
  readonly index: number;
  readonly count: number;
}

export interface PlanParts {
  readonly nodeId: string;
  readonly operations: readonly Operation[];
  /** What the plan was made from; a part without a state is one that the host has not got. */
  readonly states?: Readonly<Record<string, JsonObject>>;
  /** Digests of the sections before and behind the host's own. */
  readonly before?: readonly string[];
  readonly behind?: readonly string[];
  /** Taken as they are, in place of what follows from the fields above: whatever a hostile server would write. */
  readonly header?: unknown;
  readonly section?: unknown;
}

/** The time at which all of them are made, unless something else is said: that of the protocol's vectors. */
export const madeAt = 1_800_000_000_000;

const otherSection = "0d".repeat(32);

export function makePlan(parts: PlanParts): MadePlan {
  const { before = [], behind = [otherSection] } = parts;
  const header = parts.header ?? { ...madeHeader, schema: planSchemaOf(parts.operations) };
  const section = parts.section ?? makeSection(parts);
  const all = [...before, sectionDigest(sha256, section as PlanSection), ...behind];
  return {
    header: byteForm(header),
    digests: Uint8Array.fromHex(all.join("")),
    section: byteForm(section),
    planDigest: planDigestOf(sha256, headerDigest(sha256, header as PlanHeader), all),
    index: before.length,
    count: all.length,
  };
}

export const madeHeader: PlanHeader = {
  schema: 1,
  title: "Change a host",
  summary: "Made for a test.",
  source: { from: "person" },
};

export function makeSection({ nodeId, operations, states = {} }: PlanParts): PlanSection {
  const preconditions = subjectsOf(operations).map((subject) => {
    const state = states[subject];
    return { subject, state: state === undefined ? ("absent" as const) : stateDigest(sha256, subject, state) };
  });
  return { node: nodeId, operations: [...operations], preconditions };
}

export interface ApprovalParts extends Partial<Omit<Approval, "keyId">> {
  readonly signature?: SigParts;
}

/** A container in which each of the keys has signed the same statement about the plan, for the hosts at these trust files. */
export function makeApprovals(
  plan: Pick<MadePlan, "planDigest" | "index" | "count">,
  keys: readonly MadeKey[],
  trust: readonly string[],
  { signature, ...fields }: ApprovalParts = {},
): Uint8Array {
  const approval = approvalOf(plan, trust, fields);
  return writeContainer(keys.map((key) => signedBy(key, approval, signature)));
}

export function approvalOf(
  { planDigest, index, count }: Pick<MadePlan, "planDigest" | "index" | "count">,
  trust: readonly string[],
  fields: Partial<Omit<Approval, "keyId">> = {},
): Omit<Approval, "keyId"> {
  return {
    approvalId: "ab".repeat(16),
    planDigest,
    sections: sectionBits(count, [index]),
    issuedAt: madeAt,
    notBefore: madeAt,
    notAfter: madeAt + 3_600_000,
    rollbackWindow: 60,
    confirmation: 1,
    settle: 0,
    trust,
    ...fields,
  };
}

/** An order of the server with this private key. */
export function makeOrder(
  { planDigest, index }: Pick<MadePlan, "planDigest" | "index">,
  nodeId: string,
  serverKey: KeyObject,
  fields: Partial<ServerOrder> = {},
): Uint8Array {
  const framed = orderFrame({
    nodeId,
    orderId: "cd".repeat(16),
    planDigest,
    sectionIndex: index,
    notBefore: madeAt,
    notAfter: madeAt + 3_600_000,
    rollbackWindow: 60,
    ...fields,
  });
  return joinSigned(framed, signBytes(serverKey, framed));
}

/** A change with all its parts, as it stands at the host when they have arrived. */
export interface MadeTask {
  readonly task: string;
  readonly planDigest: string;
  readonly index: number;
  readonly header: Uint8Array;
  readonly digests: Uint8Array;
  readonly section: Uint8Array;
  readonly approvals: Uint8Array;
  readonly artifacts: readonly KeptArtifact[];
  /** The same as they come to a host, for whoever brings them. */
  readonly brought?: readonly Uint8Array[];
}

export const madeTaskId = `task_${"7".repeat(26)}`;

export function makeTask(
  { planDigest, index, header, digests, section }: MadePlan,
  approvals: Uint8Array,
  task = madeTaskId,
): MadeTask {
  return { task, planDigest, index, header, digests, section, approvals, artifacts: [] };
}

/** The fields of the frame that announces it, and the bytes of its parts by their digests. */
export function announceTask(made: MadeTask) {
  const { task, planDigest, index, header, digests, section, approvals, brought = [] } = made;
  const parts = {
    header: partOf(header),
    digests: partOf(digests),
    section: partOf(section),
    approvals: partOf(approvals),
    artifacts: brought.map(partOf).toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1)),
  };
  const blobs = new Map(
    [header, digests, section, approvals, ...brought].map((bytes) => [partOf(bytes).sha256, bytes]),
  );
  return { fields: { task, planDigest, index, parts }, blobs };
}

function partOf(bytes: Uint8Array): { sha256: string; size: number } {
  return { sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.byteLength };
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

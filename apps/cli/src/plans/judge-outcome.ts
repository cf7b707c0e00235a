import { serverOrderId } from "@gatehouse/approval";
import { decodeBase64url, readOutcome, type SignedOutcome } from "@gatehouse/channel";
import { hostEnds, type ToldLines } from "@gatehouse/contract";
import type { PlanTask } from "@gatehouse/contract/routes";
import { findKeyFlaw, isSignedBy, loadPublicKey, nodeIdOf, signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { sha256Of } from "../sha256-of.ts";

/** What a plan is by its own bytes: nothing of it is the server's word. */
export interface PlanIdentity {
  readonly digest: string;
  /** The host of each section, in the plan's order. */
  readonly nodes: readonly string[];
}

/**
 * Whose word the end of a task is. `host`: the host has signed it for this task of this plan. `unproven`: the server claims an end
 * that only a host can tell, and shows no such signature. `server`: anything that no host signs.
 */
export type OutcomeVerdict =
  | {
      readonly word: "host";
      /** By the host's own clock. */
      readonly at: string;
      readonly code: string | null;
      readonly detail: string | null;
      /** Parts of the host that somebody else had changed meanwhile. */
      readonly foreign: readonly string[];
      /** What operations that only read have told. */
      readonly told: readonly ToldLines[];
    }
  | { readonly word: "unproven"; readonly why: string }
  | { readonly word: "server" };

/** Checks here what a host is said to have signed: a server that was taken over says of every host what it likes. */
export function judgeOutcome(task: PlanTask, plan: PlanIdentity): OutcomeVerdict {
  const isHostEnd = hostEnds.some((end) => end === task.state);
  if (task.outcome === null) {
    return isHostEnd ? unproven("the server shows nothing that the host has signed") : { word: "server" };
  }
  const told = readSignedOutcome(task.node, task.outcome);
  if (typeof told === "string") return unproven(told);
  const other = otherThan(task, plan, told);
  if (other !== undefined) return unproven(other);
  const { code, detail, foreign, told: read = [] } = told.detail;
  const at = new Date(told.at).toISOString();
  const why = { code: code === "" ? null : code, detail: detail === "" ? null : detail };
  return { word: "host", at, ...why, foreign, told: read };
}

function unproven(why: string): OutcomeVerdict {
  return { word: "unproven", why };
}

/** Longer than any that a host sends. */
const mostText = 60_000;
/** The last moment that a calendar of this program has. */
const lastMoment = 8.64e15;

/** What the host has signed, or why it is none. */
function readSignedOutcome(node: string, signed: string): SignedOutcome | string {
  const bytes = signed.length <= mostText ? decodeBase64url(signed) : undefined;
  const read = readSigned(bytes, [signatureLength], readOutcome);
  if (read === undefined || read.value.at > lastMoment) return "what it is said to have signed is no outcome";
  const { framed, signatures, value } = read;
  if (value.nodeId !== node || nodeIdOf(value.hostKey) !== node) return "another host has signed it";
  if (findKeyFlaw(value.hostKey) !== undefined) return "anybody could sign under that key";
  return isSignedBy(loadPublicKey(value.hostKey, `the host key of ${node}`), framed, signatures[0])
    ? value
    : "the host's signature does not fit it";
}

/** What was signed for something else: an outcome of another plan, place, task or approval says nothing about this one. */
function otherThan(task: PlanTask, plan: PlanIdentity, told: SignedOutcome): string | undefined {
  if (plan.nodes[task.index] !== task.node) return "the plan has another host in this place";
  if (Buffer.from(told.planDigest).toString("hex") !== plan.digest) return "the host has signed it for another plan";
  if (told.index !== task.index) return "the host has signed it for another section of the plan";
  if (told.task !== task.id) return "the host has signed it for another task";
  if (!isUnder(task, Buffer.from(told.approvalId).toString("hex")))
    return "the host has signed it for another approval";
  if (told.outcome !== task.state) return `the host has signed ${told.outcome}`;
  return undefined;
}

/** A host signs the id of what it used: of the approvers' statement, or of the order that its server made for this task. */
function isUnder({ id, approval }: PlanTask, used: string): boolean {
  return approval !== null && (used === approval || used === serverOrderId(sha256Of, id, approval));
}

import { byteForm, readByteForm } from "@gatehouse/base";
import { type HostEnd, hostEnds, toldOfSection } from "@gatehouse/contract";
import { encodeText, frame, readFrame, readNumber, readText, u32, u64 } from "@gatehouse/keys/frame";
import * as z from "zod";

/** How a change ended on a host, signed with its host key: whoever passes it on, it can be checked with the node's id alone. */
export interface SignedOutcome {
  readonly nodeId: string;
  readonly hostKey: Uint8Array;
  readonly task: string;
  readonly approvalId: Uint8Array;
  readonly planDigest: Uint8Array;
  /** The place of the host's section in the plan. */
  readonly index: number;
  readonly outcome: HostEnd;
  /** By the host's own clock. */
  readonly at: number;
  /** Where in the host's journal it stands, and the link that binds it to all records before. */
  readonly journalSeq: number;
  readonly journalLink: Uint8Array;
  readonly detail: OutcomeDetail;
}

const outcomeDetail = z.strictObject({
  /** A code of the fault table; empty where nothing went wrong. */
  code: z.string().max(64),
  detail: z.string().max(1_000),
  /** Parts of the host that somebody else had changed meanwhile, and that were replaced when the change was taken back. */
  foreign: z.array(z.string().max(600)).max(64),
  /** What was read for operations that only read; absent where there were none. */
  told: toldOfSection.exactOptional(),
});
export type OutcomeDetail = z.output<typeof outcomeDetail>;

/** The body of an `out` of kind `outcome`: the signed message in base64url. */
export const outcomeBody = z.strictObject({
  signed: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .max(60_000),
});

const outcomeDomain = "gatehouse-outcome-v1";

export function outcomeFrame(told: SignedOutcome): Uint8Array {
  return frame(
    outcomeDomain,
    encodeText(told.nodeId),
    told.hostKey,
    encodeText(told.task),
    told.approvalId,
    told.planDigest,
    u32(told.index),
    encodeText(told.outcome),
    u64(told.at),
    u64(told.journalSeq),
    told.journalLink,
    byteForm(told.detail),
  );
}

export function readOutcome(framed: Uint8Array): SignedOutcome | undefined {
  const fields = readFrame(framed, outcomeDomain, ["any", 32, "any", 16, 32, 4, "any", 8, 8, 32, "any"]);
  if (fields === undefined) return undefined;
  const [nodeId, task, said] = [fields[0], fields[2], fields[6]].map(readText);
  const [index, at, journalSeq] = [fields[5], fields[7], fields[8]].map(readNumber);
  const outcome = hostEnds.find((each) => each === said);
  const detail = outcomeDetail.safeParse(readByteForm(fields[10])).data;
  if (nodeId === undefined || task === undefined || outcome === undefined || detail === undefined) return undefined;
  if (index === undefined || at === undefined || journalSeq === undefined) return undefined;
  const [, hostKey, , approvalId, planDigest, , , , , journalLink] = fields;
  return { nodeId, hostKey, task, approvalId, planDigest, index, outcome, at, journalSeq, journalLink, detail };
}

import { encodeBase64url, outcomeFrame } from "@gatehouse/channel";
import { signBytes } from "@gatehouse/keys";
import { joinSigned } from "@gatehouse/keys/frame";
import type { HostIdentity } from "../local/host-key.ts";
import type { EndNote } from "../safety/journal-note.ts";

/** How a change ended, in the host's own name. From the record alone, so that it is the same message whenever it is asked for. */
export function signOutcome({ nodeId, publicKey: hostKey, key }: HostIdentity, note: EndNote): string {
  const { approvalId, planDigest, index, outcome, code, detail, foreign, told } = note.end;
  const framed = outcomeFrame({
    nodeId,
    hostKey,
    task: note.task,
    approvalId: Uint8Array.fromHex(approvalId),
    planDigest: Uint8Array.fromHex(planDigest),
    index,
    outcome,
    at: note.at,
    journalSeq: note.seq,
    journalLink: note.link,
    detail: { code, detail, foreign, ...(told === undefined ? {} : { told }) },
  });
  return encodeBase64url(joinSigned(framed, signBytes(key, framed)));
}

import { createHash } from "node:crypto";
import { fault } from "@gatehouse/contract";
import type { PlanQuestion } from "@gatehouse/contract/broker";
import { draftDigest, inputDigest, type PlanDraft } from "@gatehouse/plan";

/** Names a question for a plan. One with a number that is no integer has no byte form, and so no name. */
export function nameQuestion(question: PlanQuestion): string {
  try {
    return inputDigest(sha256, question);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw fault("request.malformed", `input: has no byte form: ${error.message}`, { cause: error });
  }
}

export function nameDraft(draft: PlanDraft): string {
  return draftDigest(sha256, draft);
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

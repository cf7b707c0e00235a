import { encodeText, frame } from "@gatehouse/keys/frame";
import { serialisePart } from "./byte-form.ts";
import type { PlanDocument, PlanDraft, PlanHeader, PlanSection } from "./plan-document.ts";
import { hexDigest, type Sha256 } from "./sha256.ts";

/** Each digest is over its own words, so that none can be taken for another. */
export const digestDomains = {
  header: "gatehouse-plan-header-v1",
  section: "gatehouse-plan-section-v1",
  plan: "gatehouse-plan-v1",
  input: "gatehouse-plan-input-v1",
  draft: "gatehouse-plan-draft-v1",
  state: "gatehouse-state-v1",
} as const;

/** What the approver signs and every agent computes again (docs/plugins/plan-format.md). In lower-case hexadecimal. */
export function planDigest(sha256: Sha256, { header, sections }: PlanDocument): string {
  const sectionDigests = sections.map((section) => sectionDigest(sha256, section));
  return planDigestOf(sha256, headerDigest(sha256, header), sectionDigests);
}

export function headerDigest(sha256: Sha256, header: PlanHeader): string {
  return hexDigest(sha256, headerMessage(header));
}

export function sectionDigest(sha256: Sha256, section: PlanSection): string {
  return hexDigest(sha256, sectionMessage(section));
}

/** For an agent: it has the header, every section's digest and its own section, and needs no other node's. */
export function planDigestOf(sha256: Sha256, header: string, sections: readonly string[]): string {
  return hexDigest(sha256, planMessage(header, sections));
}

/**
 * Names what a plugin was asked with, its input and its nodes, for the plan's source. Throws a RangeError for an input without a
 * byte form.
 */
export function inputDigest(sha256: Sha256, input: unknown): string {
  return hexDigest(sha256, frame(digestDomains.input, serialisePart(input)));
}

/** Names what a plugin answered: asked again with the same question, it must answer the same. */
export function draftDigest(sha256: Sha256, draft: PlanDraft): string {
  return hexDigest(sha256, frame(digestDomains.draft, serialisePart(draft)));
}

/** Names a state of a host's part, for preconditions. The subject is in it: no state can stand for another part. */
export function stateDigest(sha256: Sha256, subject: string, state: object): string {
  return hexDigest(sha256, frame(digestDomains.state, encodeText(subject), serialisePart(state)));
}

// The messages themselves are for those whose SHA-256 is not a plain function, such as a browser's.

export function headerMessage(header: PlanHeader): Uint8Array {
  return frame(digestDomains.header, serialisePart(header));
}

export function sectionMessage(section: PlanSection): Uint8Array {
  return frame(digestDomains.section, serialisePart(section));
}

export function planMessage(header: string, sections: readonly string[]): Uint8Array {
  return frame(digestDomains.plan, unhex(header), ...sections.map(unhex));
}

function unhex(text: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new RangeError("a digest is 64 characters of 0-9 and a-f");
  return Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(text.slice(index * 2, index * 2 + 2), 16));
}

import type { Capability } from "@gatehouse/contract";
import { capabilityOfOperation, type OperationKind } from "./operations/table.ts";
import type { PlanDraft } from "./plan-document.ts";

export interface CapabilityGap {
  readonly kind: OperationKind;
  /** What the manifest lacks; null when no plugin's plan may hold the kind. */
  readonly capability: Capability | null;
}

/** The kinds in a plugin's draft that its manifest does not cover, each once. An empty list is the only good answer. */
export function findCapabilityGaps(draft: PlanDraft, declared: readonly Capability[]): CapabilityGap[] {
  const kinds = [...new Set(draft.sections.flatMap(({ operations }) => operations.map(({ kind }) => kind)))];
  return kinds
    .map((kind) => ({ kind, capability: capabilityOfOperation[kind] }))
    .filter(({ capability }) => capability === null || !declared.includes(capability));
}

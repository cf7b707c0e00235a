import { type TrustState, trustState, trustSubject } from "@gatehouse/plan";
import type { SectionEvidence } from "./evidence.ts";
import { statesOf } from "./view-sections.ts";

/** Whose word the host takes, as it signed it when the plan was made; undefined where it did not say. */
export function trustOfSection(evidence: SectionEvidence | undefined): TrustState | undefined {
  const said = statesOf(evidence?.states ?? null).find(({ subject }) => subject === trustSubject);
  return trustState.safeParse(said?.state).data;
}

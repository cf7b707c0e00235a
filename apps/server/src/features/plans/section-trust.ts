import { parseTrust, type Trust } from "@gatehouse/approval/verify";
import { isFault } from "@gatehouse/contract";
import { type TrustState, trustState, trustSubject } from "@gatehouse/plan";
import type { SectionEvidence } from "./evidence.ts";
import { statesOf } from "./view-sections.ts";

/** Whose word the host takes, as it signed it when the plan was made; undefined where it did not say. */
export function trustOfSection(evidence: SectionEvidence | undefined): TrustState | undefined {
  const said = statesOf(evidence?.states ?? null).find(({ subject }) => subject === trustSubject);
  return trustState.safeParse(said?.state).data;
}

/** A trust file as its host has it; undefined where it cannot be believed. */
export function parseSoundTrust(bytes: Uint8Array): Trust | undefined {
  try {
    return parseTrust(bytes);
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

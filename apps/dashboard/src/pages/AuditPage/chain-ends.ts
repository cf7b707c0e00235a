import type { AuditCheck } from "../../api/audit.ts";
import type { ChainVerdict } from "../../widgets/chain-verdict.ts";

/** From where to where the log goes, and how far its links were walked. */
export interface ChainEnds {
  /** The first record there is. */
  readonly begins: number;
  readonly checked: number;
  readonly head: number;
}

/** Undefined while nobody has walked it, and when it is broken: then nothing that it says of itself counts. */
export function chainEnds(verdict: ChainVerdict, check: AuditCheck | undefined): ChainEnds | undefined {
  if (verdict.kind !== "verified" && verdict.kind !== "asked") return undefined;
  const checked = verdict.kind === "asked" ? verdict.found.head.position : verdict.position;
  const known = check?.verified === null || check === undefined ? 0 : check.verified.position + check.newer;
  return { begins: check?.begins ?? 1, checked, head: Math.max(checked, known) };
}

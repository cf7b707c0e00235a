import type { AuditCheck, AuditVerification } from "../api/audit.ts";

/** What may be said of the chain right now. Only the server says it: nothing a browser remembers counts. */
export type ChainVerdict =
  | { readonly kind: "unknown" }
  | { readonly kind: "checking" }
  | { readonly kind: "broken"; readonly broken: Broken }
  | { readonly kind: "asked"; readonly found: AuditVerification }
  | { readonly kind: "verified"; readonly position: number; readonly at: string; readonly newer: number };

export interface Broken {
  readonly file: string;
  readonly position: number;
  readonly expected: string;
  readonly found: string;
  readonly todo: string;
}

const lookAtFiles = "Stop the server and look at its files with gatehouse state recover.";

/**
 * Damage wins over everything, whoever met it. What a person asked for holds until the server has read further by itself.
 */
export function chainVerdict(check: AuditCheck | undefined, asked?: AuditVerification): ChainVerdict {
  if (check !== undefined && check.broken !== null) return { kind: "broken", broken: check.broken };
  if (asked !== undefined && !asked.ok) {
    const unknown = {
      file: "the log",
      position: asked.head.position,
      expected: "what was written",
      found: "other bytes",
    };
    return { kind: "broken", broken: { ...unknown, ...asked.broken, todo: lookAtFiles } };
  }
  if (asked !== undefined && asked.head.position >= (check?.verified?.position ?? 0))
    return { kind: "asked", found: asked };
  if (check === undefined) return { kind: "unknown" };
  if (check.state === "checking" || check.verified === null) return { kind: "checking" };
  return { kind: "verified", ...check.verified, newer: check.newer };
}

/** "10 newer", or nothing. */
export function newerWords(newer: number): string {
  return newer === 0 ? "" : `, ${newer.toLocaleString("en-GB")} newer`;
}

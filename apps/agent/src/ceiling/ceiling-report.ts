import type { JsonObject } from "@gatehouse/base";
import type { Report } from "@gatehouse/command-line";
import { describeTrust, trustJson } from "../trust/describe-trust.ts";
import type { FoundTrust } from "../trust/read-trust.ts";
import { acceptsOf, type Ceiling, ceilingDigest, ceilingText, keepOf } from "./ceiling.ts";
import { describeCeiling, warningsOf } from "./describe-ceiling.ts";

export interface ShownCeiling {
  readonly ceiling: Ceiling;
  /** What the kernel leaves open for it. */
  readonly opened: readonly string[];
  readonly trust: FoundTrust;
}

/** A ceiling as a command tells it; `first` is what was done with it. */
export function ceilingReport({ ceiling, opened, trust }: ShownCeiling, first: readonly string[]): Report {
  const digest = ceilingDigest(ceiling);
  const warnings = warningsOf(ceiling, opened);
  return {
    ok: true,
    lines: [
      ...first,
      ...describeCeiling(ceiling),
      ...trustLines(ceiling, trust),
      ...warnings,
      `Digest of the ceiling: ${digest}`,
    ],
    json: {
      ceiling: JSON.parse(ceilingText(ceiling)) as JsonObject,
      digest,
      accepts: acceptsOf(ceiling),
      keep: [...keepOf(ceiling)],
      trust: trustJson(trust),
      opened: [...opened],
      warnings,
      appliesChanges: false,
    },
  };
}

/** The approvers of a host that asks them; elsewhere a file that is there decides nothing. */
export function trustLines(ceiling: Ceiling, trust: FoundTrust): string[] {
  if (acceptsOf(ceiling) === "signed") return describeTrust(trust);
  return trust.t === "none"
    ? []
    : ["There is a trust file, and it decides nothing as long as the ceiling does not ask for it."];
}

import type { JsonObject } from "@gatehouse/base";
import type { Report } from "@gatehouse/command-line";
import { type Ceiling, ceilingDigest, ceilingText } from "./ceiling.ts";
import { describeCeiling, warningsOf } from "./describe-ceiling.ts";

/** A ceiling as a command tells it; `first` is what was done with it, `opened` what the kernel leaves open for it. */
export function ceilingReport(ceiling: Ceiling, opened: readonly string[], first: readonly string[]): Report {
  const digest = ceilingDigest(ceiling);
  const warnings = warningsOf(ceiling, opened);
  return {
    ok: true,
    lines: [...first, ...describeCeiling(ceiling), ...warnings, `Digest: ${digest}`],
    json: {
      ceiling: JSON.parse(ceilingText(ceiling)) as JsonObject,
      digest,
      opened: [...opened],
      warnings,
      appliesChanges: false,
    },
  };
}

import type { Report } from "@gatehouse/command-line";
import { acceptsWords } from "../ceiling/describe-ceiling.ts";
import { describeTrust, trustJson } from "./describe-trust.ts";
import type { FoundTrust } from "./read-trust.ts";

export interface ShownTrust {
  /** Null where the caller may not read the ceiling. */
  readonly accepts: "none" | "signed" | "server" | null;
  readonly found: FoundTrust;
}

/** Whose word counts, as `trust show` tells it. It is not well when approvers are believed who cannot be told. */
export function trustReport({ accepts, found }: ShownTrust): Report {
  return {
    ok: found.t === "sound" || (found.t === "none" && accepts !== "signed"),
    lines: [accepts === null ? unknownMode : acceptsWords[accepts], ...describeTrust(found)],
    json: { accepts, trust: trustJson(found), problem: found.t === "unsound" ? found.why : null },
  };
}

const unknownMode = "Whose word counts is said in the ceiling, which root alone can read.";

/** What `trust reset` has done, and what it does not do. */
export function resetReport(earlier: FoundTrust, shown: ShownTrust): Report {
  const { lines, json } = trustReport(shown);
  return {
    ok: true,
    lines: [
      "The trust file is set anew. Approvals that were signed for the earlier one no longer count.",
      earlierWords(earlier),
      ...lines,
    ],
    json: { ...json, earlierDigest: earlier.t === "sound" ? earlier.trust.digest : null },
  };
}

function earlierWords(earlier: FoundTrust): string {
  if (earlier.t === "none") return "There was none before.";
  if (earlier.t === "unsound") return `The earlier one could not be believed: ${earlier.why}`;
  return `The digest of the earlier one was ${earlier.trust.digest}.`;
}

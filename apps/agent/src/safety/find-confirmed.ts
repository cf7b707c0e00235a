import { type Operation, type OperationKind, subjectOf } from "@gatehouse/plan";
import type { AppliedChange } from "./open-journal.ts";
import { sectionOf } from "./section-of.ts";
import { mostWatched, type WatchedPart } from "./watched-parts.ts";

/** What a change left on the host and can be hashed. A restart leaves nothing, and its unit's file is nobody's promise. */
const watchedKinds: Readonly<Record<OperationKind, boolean>> = {
  "firewall.apply": true,
  "network.wireguard": true,
  "service.restart": false,
  "file.write": true,
  "binary.replace": true,
  "agent.update": true,
  "log.tail": false,
};

export interface Confirmed {
  readonly parts: readonly WatchedPart[];
  /** What was made of those that came now, by subject. */
  readonly made: ReadonlyMap<string, Operation>;
}

/** Collects what changes have confirmed, one after the other: of each part the last one counts. */
export function openConfirmed(known: readonly WatchedPart[]) {
  const parts = new Map(known.map((part) => [part.subject, part]));
  const made = new Map<string, Operation>();
  return {
    take: ({ task, seq, at, accepted }: AppliedChange): void => {
      for (const operation of sectionOf(accepted).operations) {
        const subject = subjectOf(operation);
        if (subject === null || !watchedKinds[operation.kind]) continue;
        const before = parts.get(subject);
        if (before !== undefined && before.seq > seq) continue;
        // Of two operations of one change on one part, the second is what it left.
        made.set(subject, operation);
        if (before?.seq === seq) continue;
        const whose = { subject, task, plan: accepted.planDigest, confirmedAt: at, seq };
        parts.set(subject, { ...whose, expected: null, state: "new", found: null, why: "" });
      }
    },
    all: (): Confirmed => ({ parts: newest([...parts.values()]), made }),
  };
}

function newest(parts: readonly WatchedPart[]): WatchedPart[] {
  const kept = parts.toSorted((one, other) => other.seq - one.seq).slice(0, mostWatched);
  return kept.toSorted((one, other) => (one.subject < other.subject ? -1 : 1));
}

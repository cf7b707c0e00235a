import type { WitnessCode } from "@gatehouse/contract";
import type { AuditWitnessView } from "@gatehouse/contract/routes";
import type { AuditWitnesses } from "../api/witnesses.ts";

/** Hosts that say that this is not the log that they saw. */
export interface Disbelief {
  readonly hosts: readonly AuditWitnessView[];
  /** The one that knows better from the lowest position on. */
  readonly first: AuditWitnessView;
  /** There are more hosts than one answer holds. */
  readonly isCut: boolean;
}

/** Whether it says that the log is another one, or only that nobody can tell. */
const saysAnother: Readonly<Record<WitnessCode, boolean>> = {
  "witness.damaged": false,
  "witness.fork": true,
  "witness.gap": false,
  "witness.regressed": true,
  "witness.signature": true,
};

/** Undefined while no host says so. A code of a newer server is taken for the worse. */
export function findDisbelief(read: Pick<AuditWitnesses, "items" | "nextCursor" | "summary"> | undefined) {
  if (read === undefined) return undefined;
  const hosts = read.items.filter(disbelieves);
  const all = read.summary.first === null ? hosts : [...hosts, read.summary.first].filter(disbelieves);
  const [first, ...others] = all;
  if (first === undefined) return undefined;
  const lowest = others.reduce((low, host) => (heldAt(host) < heldAt(low) ? host : low), first);
  return { hosts, first: lowest, isCut: read.nextCursor !== null } satisfies Disbelief;
}

export function disbelieves({ state, code }: Pick<AuditWitnessView, "state" | "code">): boolean {
  return state === "refuses" && code !== null && (saysAnother[code] ?? true);
}

function heldAt({ position }: AuditWitnessView): number {
  return position ?? Number.POSITIVE_INFINITY;
}

/** The server's words for why, as a sentence. */
export function whyOf({ detail }: Pick<AuditWitnessView, "detail">): string {
  const why = detail ?? "it refuses what it is shown now";
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
}

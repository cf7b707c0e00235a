import type { NodeDriftRecord, NodeRecord } from "@gatehouse/contract/records";
import { type AcceptsMode, acceptsModes, type Node } from "@gatehouse/contract/routes";
import type { Presence } from "./presence.ts";
import { countDrift } from "./view-drift.ts";

/** A node as it is shown: its record, what differs there, and what its connection says at this moment. */
export function viewNode(
  record: NodeRecord,
  presence: Pick<Presence, "seen">,
  drift: NodeDriftRecord | undefined,
): Node {
  const { state, since, lastSeenAt, address, skewMs, rival } = presence.seen(record.id);
  const { revokedAt } = record;
  return {
    id: record.id,
    name: record.name,
    tags: [...record.tags],
    notes: record.notes,
    state: revokedAt === undefined ? state : "revoked",
    since: isoOrNull(revokedAt ?? since),
    lastSeenAt: isoOrNull(lastSeenAt),
    address: address ?? null,
    rival: rival === undefined ? null : { address: rival.address, at: iso(rival.at) },
    clockSkewMs: skewMs ?? null,
    hostname: record.hostname,
    hostKey: record.hostKey,
    place: record.place ?? null,
    enrolledAt: iso(record.enrolledAt),
    enrolledBy: record.enrolledBy,
    revokedAt: isoOrNull(revokedAt),
    facts: viewFacts(record.facts),
    drift: countDrift(drift),
  };
}

function viewFacts(facts: NodeRecord["facts"]): Node["facts"] {
  if (facts === undefined) return null;
  const { number: _, at: __, trustDigest, receivedAt, addresses, units, ...said } = facts;
  return {
    ...said,
    trustDigest: trustDigest === "" ? null : trustDigest,
    accepts: acceptsOf(facts.ceiling),
    addresses: [...addresses],
    units: units.map((unit) => ({ ...unit })),
    receivedAt: iso(receivedAt),
  };
}

/** Whose word the host takes, by its ceiling. One of a later version may say what is not known here: then nothing is claimed. */
function acceptsOf(ceiling: string): AcceptsMode {
  const accepts = (JSON.parse(ceiling) as { accepts?: unknown }).accepts;
  return acceptsModes.find((mode) => mode === accepts) ?? "none";
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function isoOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : iso(ms);
}

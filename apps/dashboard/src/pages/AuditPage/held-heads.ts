import type { AuditWitnessView } from "@gatehouse/contract/routes";

/** A place on the log, with the hosts that hold a head of it there. */
export interface HeldHead {
  readonly position: number;
  /** When the server signed it. */
  readonly at: string | null;
  readonly hosts: readonly AuditWitnessView[];
}

/** What hosts hold of this log, the newest first. What a host refuses to go on from is not on this log. */
export function heldHeads(items: readonly AuditWitnessView[]): readonly HeldHead[] {
  const byPosition = new Map<number, AuditWitnessView[]>();
  for (const host of items) {
    if (host.state === "refuses" || host.position === null) continue;
    const hosts = byPosition.get(host.position) ?? [];
    hosts.push(host);
    byPosition.set(host.position, hosts);
  }
  return [...byPosition]
    .map(([position, hosts]) => ({ position, at: hosts[0]?.at ?? null, hosts }))
    .sort((a, b) => b.position - a.position);
}

/** Those that hold nothing that they have told of. */
export function untoldHosts(items: readonly AuditWitnessView[]): readonly AuditWitnessView[] {
  return items.filter(({ state, position }) => state !== "refuses" && position === null);
}

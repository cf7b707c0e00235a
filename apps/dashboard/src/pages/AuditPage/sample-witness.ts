import type { AuditWitnessView } from "@gatehouse/contract/routes";

const at = "2026-11-17T03:08:00.000Z";

/** A host as the server lists it, for tests: it holds the newest head of this log, unless told otherwise. */
export function sampleWitness(name: string, changed: Partial<AuditWitnessView> = {}): AuditWitnessView {
  const node = `node_${name.replace(/[^0-9a-hjkmnp-tv-z]/g, "").padStart(26, "0")}`;
  const held = { n: 12, position: 48_217, link: "ab".repeat(32), at, toldAt: at };
  return { node, name, state: "agrees", ...held, code: null, since: null, detail: null, ...changed };
}

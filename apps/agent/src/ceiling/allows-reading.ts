import type { Ceiling } from "./ceiling.ts";
import { entriesOf } from "./describe-ceiling.ts";
import { type CeilingKindName, ceilingKinds } from "./kinds.ts";
import { isWithin } from "@gatehouse/plan";
import { findProtection } from "./protected.ts";

/** Whether a host lets be read what an operation of this kind would change there: only what its root lets be changed. */
export function allowsReading(ceiling: Ceiling, kind: CeilingKindName, target: string): boolean {
  if (findProtection({ kind, target }) !== undefined) return false;
  return entriesOf(ceiling).some((entry) => {
    if (entry.kind !== kind) return false;
    // The agent itself has no target: there is one of it.
    if (ceilingKinds[kind].target === null) return true;
    return ceilingKinds[kind].isPath ? isWithin(target, entry.target) : entry.target === target;
  });
}

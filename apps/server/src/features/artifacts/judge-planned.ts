import { fault } from "@gatehouse/contract";
import { artifactKind } from "@gatehouse/contract/records";
import type { Change } from "@gatehouse/store";
import { put, type Reads } from "@gatehouse/store/decide";
import { artifactIdOf } from "./artifact-id.ts";
import { isWholeArtifact } from "./artifact-parts.ts";
import { differingFacts, type SaidFacts } from "./differing-facts.ts";

/** An artifact as an operation of a plan names it. */
export type PlannedArtifact = SaidFacts & { readonly sha256: string; readonly size: number };

/**
 * Refuses a plan whose artifacts are not here, not whole, or have other facts: no host would be given them, or take them. What it gives
 * is kept with the plan: their records are written as they are, so that whoever removes one at the same moment, in another process
 * too, loses the race and finds the plan.
 */
export async function requireArtifacts(read: Reads, planned: readonly PlannedArtifact[]): Promise<readonly Change[]> {
  const held = new Map<string, Change>();
  for (const one of planned) {
    const record = await read.get(artifactKind.key(artifactIdOf(one.sha256)));
    const found = record?.value;
    if (record === undefined || found === undefined || found.sha256 !== one.sha256) {
      throw fault("plan.artifact", `expected the artifact ${one.sha256} on this server, found none`);
    }
    if (!isWholeArtifact(found))
      throw fault("plan.artifact", `expected all of ${found.id}, found ${found.parts.length} of its parts`);
    const differing = differingFacts(one, found);
    if (differing.length > 0) {
      throw fault("plan.artifact", `expected the facts of ${found.id}, found another ${differing.join(", ")}`);
    }
    held.set(found.id, put(record, found));
  }
  return [...held.values()];
}

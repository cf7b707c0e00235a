import { fault } from "@gatehouse/contract";
import { artifactKind } from "@gatehouse/contract/records";
import type { Reads } from "@gatehouse/store/decide";
import { artifactIdOf } from "./artifact-id.ts";
import { isWholeArtifact } from "./artifact-parts.ts";
import { differingFacts, type SaidFacts } from "./differing-facts.ts";

/** An artifact as an operation of a plan names it. */
export type PlannedArtifact = SaidFacts & { readonly sha256: string; readonly size: number };

/** Refuses a plan whose artifacts are not here, not whole, or have other facts: no host would be given them, or take them. */
export async function requireArtifacts(read: Reads, planned: readonly PlannedArtifact[]): Promise<void> {
  for (const one of planned) {
    const found = (await read.get(artifactKind.key(artifactIdOf(one.sha256))))?.value;
    if (found === undefined || found.sha256 !== one.sha256) {
      throw fault("plan.artifact", `expected the artifact ${one.sha256} on this server, found none`);
    }
    if (!isWholeArtifact(found))
      throw fault("plan.artifact", `expected all of ${found.id}, found ${found.parts.length} of its parts`);
    const differing = differingFacts(one, found);
    if (differing.length > 0) {
      throw fault("plan.artifact", `expected the facts of ${found.id}, found another ${differing.join(", ")}`);
    }
  }
}

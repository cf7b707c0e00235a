import { type ArtifactRecord, artifactKind } from "@gatehouse/contract/records";
import type { Reads } from "@gatehouse/store/decide";
import { artifactIdOf } from "./artifact-id.ts";
import { isWholeArtifact } from "./artifact-parts.ts";

type Facts = Pick<ArtifactRecord, "name" | "version" | "architecture" | "sha256" | "size" | "signature">;

/** What is said of the program with this digest, where all of its bytes are here. */
export async function findProgram(
  read: Reads,
  wanted: string,
): Promise<(Facts & { readonly publisher: string }) | undefined> {
  const found = (await read.get(artifactKind.key(artifactIdOf(wanted))))?.value;
  if (found === undefined || found.sha256 !== wanted || !isWholeArtifact(found)) return undefined;
  const { name, version, architecture, sha256, size, publisher, signature } = found;
  // A release has no publisher: hosts take it for their agent alone.
  return publisher === undefined ? undefined : { name, version, architecture, sha256, size, publisher, signature };
}

import type { ArtifactRecord } from "@gatehouse/contract/records";
import { type Artifact, artifactBytes } from "@gatehouse/contract/routes";
import { isWholeArtifact } from "./artifact-parts.ts";

export function viewArtifact(record: ArtifactRecord, partSize: number = artifactBytes.part): Artifact {
  const { parts, signature, createdAt, wholeAt, publisher, ...facts } = record;
  return {
    ...facts,
    ...(publisher !== undefined && { publisher }),
    signature: { ...signature },
    partSize,
    parts: parts.map(({ number }) => number),
    state: isWholeArtifact(record) ? "whole" : "arriving",
    createdAt: new Date(createdAt).toISOString(),
    ...(wholeAt !== undefined && { wholeAt: new Date(wholeAt).toISOString() }),
  };
}

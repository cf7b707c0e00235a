import { type ArtifactFacts, releaseName } from "../artifact-facts.ts";
import type { Operation } from "./table.ts";

/** The artifact that an operation brings; undefined for one that brings none. */
export function artifactOf(operation: Operation): ArtifactFacts | undefined {
  if (operation.kind === "agent.update") {
    const { version, architecture, sha256, size, signature } = operation;
    return { kind: "release", name: releaseName, version, architecture, sha256, size, signature };
  }
  if (operation.kind !== "binary.replace") return undefined;
  const { name, version, architecture, sha256, size, publisher, signature } = operation;
  return { kind: "binary", name, version, architecture, sha256, size, publisher, signature };
}

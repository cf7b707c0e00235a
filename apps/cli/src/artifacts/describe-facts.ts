import { count } from "@gatehouse/command-line";
import type { ArtifactFacts } from "@gatehouse/plan";

/** What is said of an artifact, line by line. */
export function factsLines(facts: ArtifactFacts): string[] {
  const { name, version, architecture, sha256, size, signature } = facts;
  return [
    `  ${name} ${version} for ${architecture}, ${count(size, "byte")}`,
    `  sha256     ${sha256}`,
    ...(facts.kind === "binary" ? [`  publisher  ${facts.publisher}`] : []),
    `  key        ${signature.keyId}`,
  ];
}

import { count } from "@gatehouse/command-line";
import type { Artifact } from "@gatehouse/contract/routes";

type SaidFacts = Pick<Artifact, "name" | "version" | "architecture" | "sha256" | "size" | "signature" | "publisher">;

/** What is said of an artifact, line by line. */
export function factsLines(facts: SaidFacts): string[] {
  const { size, sha256, publisher, signature } = facts;
  return [
    `  ${sayArtifact(facts)}, ${count(size, "byte")}`,
    `  sha256     ${sha256}`,
    ...(publisher === undefined ? [] : [`  publisher  ${publisher}`]),
    `  key        ${signature.keyId}`,
  ];
}

/** What people call it by. */
export function sayArtifact({ name, version, architecture }: Pick<SaidFacts, "name" | "version" | "architecture">) {
  return `${name} ${version} for ${architecture}`;
}

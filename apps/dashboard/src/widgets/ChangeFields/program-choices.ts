import type { Artifact } from "../../api/artifacts.ts";
import { sizeWords } from "../../ui/size-words.ts";
import type { ArtifactChoice } from "./artifact-choice.ts";
import type { ProgramFacts } from "./host-change.ts";

/** What a plan can name: programs that are whole, by name, and of one name the newest first as they came. */
export function programsOf(artifacts: readonly Artifact[]): readonly ProgramFacts[] {
  return artifacts
    .flatMap(({ kind, state, name, version, architecture, sha256, size, publisher, signature }) =>
      kind !== "binary" || state !== "whole" || publisher === undefined
        ? []
        : [{ name, version, architecture, sha256, size, publisher, signature }],
    )
    .toSorted((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
}

/** Two of one name and version differ in their digest, of which the beginning is said. */
export const programChoice: ArtifactChoice<ProgramFacts> = {
  noun: "program",
  among: programsOf,
  labelOf: ({ name, version, architecture, publisher, size, sha256 }) =>
    `${name} ${version}, ${architecture}, by ${publisher}, ${sizeWords(size)}, ${sha256.slice(0, 8)}`,
};

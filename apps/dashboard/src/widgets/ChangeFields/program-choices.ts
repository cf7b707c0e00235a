import type { Artifact } from "../../api/artifacts.ts";
import type { SelectOption } from "../../ui/Select.tsx";
import { sizeWords } from "../../ui/size-words.ts";
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

/** Somebody removed it since it was chosen; the server would refuse the plan. */
export function isGone(chosen: ByDigest | null, there: readonly ByDigest[] | undefined): boolean {
  return chosen !== null && there !== undefined && !there.some(({ sha256 }) => sha256 === chosen.sha256);
}

type ByDigest = Pick<ProgramFacts, "sha256">;

/** Two of one name and version differ in their digest, of which the beginning is said. */
export function programOptions(
  program: ProgramFacts | null,
  programs: readonly ProgramFacts[] | undefined,
): readonly SelectOption[] {
  const none = programs === undefined ? "Reading artifacts" : "Choose a program";
  const kept = program !== null && (programs === undefined || isGone(program, programs)) ? [program] : [];
  return [
    { value: "", label: none },
    ...[...kept, ...(programs ?? [])].map((one) => ({ value: one.sha256, label: labelOf(one) })),
  ];
}

function labelOf({ name, version, architecture, publisher, size, sha256 }: ProgramFacts): string {
  return `${name} ${version}, ${architecture}, by ${publisher}, ${sizeWords(size)}, ${sha256.slice(0, 8)}`;
}

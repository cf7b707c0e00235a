import type { Artifact } from "../../api/artifacts.ts";
import type { SelectOption } from "../../ui/Select.tsx";

interface ByDigest {
  readonly sha256: string;
}

/** What a field chooses among the artifacts: programs, or releases of the agent. */
export interface ArtifactChoice<Facts extends ByDigest> {
  readonly noun: string;
  /** What of all can be chosen, in the order in which it is offered. */
  readonly among: (artifacts: readonly Artifact[]) => readonly Facts[];
  readonly labelOf: (facts: Facts) => string;
}

/** Somebody removed it since it was chosen; the server would refuse the plan. */
export function isGone(chosen: ByDigest | null, there: readonly ByDigest[] | undefined): boolean {
  return chosen !== null && there !== undefined && !there.some(({ sha256 }) => sha256 === chosen.sha256);
}

/** One that was removed since stays to be seen. */
export function choiceOptions<Facts extends ByDigest>(
  { noun, labelOf }: ArtifactChoice<Facts>,
  chosen: Facts | null,
  there: readonly Facts[] | undefined,
): readonly SelectOption[] {
  const none = there === undefined ? "Reading artifacts" : `Choose a ${noun}`;
  const kept = chosen !== null && (there === undefined || isGone(chosen, there)) ? [chosen] : [];
  return [
    { value: "", label: none },
    ...[...kept, ...(there ?? [])].map((one) => ({ value: one.sha256, label: labelOf(one) })),
  ];
}

import type { Artifact } from "../../api/artifacts.ts";
import type { SelectOption } from "../../ui/Select.tsx";
import { sizeWords } from "../../ui/size-words.ts";
import { isLater } from "../Fleet/agent-builds.ts";
import type { ReleaseFacts } from "./host-change.ts";
import { isGone } from "./program-choices.ts";

/** Releases of the agent that are whole, the newest first. */
export function releasesOf(artifacts: readonly Artifact[]): readonly ReleaseFacts[] {
  return artifacts
    .filter(({ kind, state }) => kind === "release" && state === "whole")
    .map(releaseFactsOf)
    .toSorted(
      (one, other) => Number(isLater(other.version, one.version)) - Number(isLater(one.version, other.version)),
    );
}

export function releaseFactsOf({ version, architecture, sha256, size, signature }: Artifact): ReleaseFacts {
  return { version, architecture, sha256, size, signature };
}

/** One that was removed since stays to be seen. Two of one version differ in their processor or their digest. */
export function releaseOptions(
  release: ReleaseFacts | null,
  releases: readonly ReleaseFacts[] | undefined,
): readonly SelectOption[] {
  const none = releases === undefined ? "Reading artifacts" : "Choose a release";
  const kept = release !== null && (releases === undefined || isGone(release, releases)) ? [release] : [];
  return [
    { value: "", label: none },
    ...[...kept, ...(releases ?? [])].map((one) => ({ value: one.sha256, label: labelOf(one) })),
  ];
}

function labelOf({ version, architecture, size, sha256 }: ReleaseFacts): string {
  return `${version}, ${architecture}, ${sizeWords(size)}, ${sha256.slice(0, 8)}`;
}

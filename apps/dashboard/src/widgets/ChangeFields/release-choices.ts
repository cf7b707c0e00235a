import type { Artifact } from "../../api/artifacts.ts";
import { sizeWords } from "../../ui/size-words.ts";
import { isLater } from "../Fleet/agent-builds.ts";
import type { ArtifactChoice } from "./artifact-choice.ts";
import type { ReleaseFacts } from "./host-change.ts";

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

/** Two of one version differ in their processor or their digest. */
export const releaseChoice: ArtifactChoice<ReleaseFacts> = {
  noun: "release",
  among: releasesOf,
  labelOf: ({ version, architecture, size, sha256 }) =>
    `${version}, ${architecture}, ${sizeWords(size)}, ${sha256.slice(0, 8)}`,
};

import { compareVersions, versionPattern } from "@gatehouse/base";
import type { Artifact, Node } from "@gatehouse/contract/routes";

/** Which agent a host runs. */
export interface AgentBuild {
  readonly version: string;
  readonly architecture: string;
}

export interface CountedBuild extends AgentBuild {
  readonly nodes: number;
}

type Told = Pick<Node, "state" | "facts">;

export function buildOf({ facts }: Pick<Told, "facts">): AgentBuild | undefined {
  return facts === null ? undefined : { version: facts.agentVersion, architecture: facts.arch };
}

export function runsBuild(node: Pick<Told, "facts">, { version, architecture }: AgentBuild): boolean {
  return node.facts?.agentVersion === version && node.facts.arch === architecture;
}

/** How many hosts run which, the newest version first. Who was revoked runs nothing of ours any more. */
export function countBuilds(nodes: readonly Told[]): readonly CountedBuild[] {
  const counted = new Map<string, CountedBuild>();
  for (const node of nodes) {
    const build = node.state === "revoked" ? undefined : buildOf(node);
    if (build === undefined) continue;
    const key = JSON.stringify([build.version, build.architecture]);
    counted.set(key, { ...build, nodes: (counted.get(key)?.nodes ?? 0) + 1 });
  }
  return [...counted.values()].toSorted(
    (one, other) => compareTold(other.version, one.version) || (one.architecture < other.architecture ? 1 : -1),
  );
}

/** The newest release that is here whole for such a host; undefined where there is none. */
export function newestRelease<Item extends Pick<Artifact, "kind" | "state" | "version" | "architecture">>(
  artifacts: readonly Item[],
  architecture: string,
): Item | undefined {
  return artifacts
    .filter((one) => one.kind === "release" && one.state === "whole" && one.architecture === architecture)
    .toSorted((one, other) => compareTold(other.version, one.version))[0];
}

/** Whether a host that runs the one could become the other: none goes back. */
export function isLater(version: string, running: string): boolean {
  return compareTold(version, running) > 0;
}

/** A host says its version itself: what is none comes before all that are. */
function compareTold(one: string, other: string): number {
  const [left, right] = [versionPattern.test(one), versionPattern.test(other)];
  if (left && right) return compareVersions(one, other);
  if (left !== right) return left ? 1 : -1;
  return one < other ? -1 : Number(one > other);
}

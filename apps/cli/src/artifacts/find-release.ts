import { fault } from "@gatehouse/contract";
import { type Artifact, type Node, nodesRoute } from "@gatehouse/contract/routes";
import { mostNodes, nodesPage } from "../nodes/find-node.ts";
import type { Connection } from "../server/connection.ts";
import { listAll } from "../server/list-all.ts";
import { fittingArtifacts, getNamedArtifact, isArtifactId, listArtifacts, pickArtifact } from "./find-artifact.ts";

/** The hosts of a plan as a person named them. */
export interface WantedHosts {
  readonly nodes: readonly string[];
  readonly tags: readonly string[];
}

/** Reads the release that a person named. One version for two processors is told apart by the hosts that it is for. */
export async function getNamedRelease(
  connection: Pick<Connection, "call" | "server">,
  named: string,
  hosts: WantedHosts,
): Promise<Artifact> {
  if (isArtifactId(named)) return getNamedArtifact(connection, named);
  const listed = await listArtifacts(connection);
  const fitting = fittingArtifacts(listed.items, named);
  if (!areBuildsOfOne(fitting)) return pickArtifact(listed, named);
  const { items } = await listAll(connection, nodesRoute, { most: mostNodes, pageSize: nodesPage });
  const processor = processorOf(items.filter((node) => isMeant(node, hosts)));
  const found = fitting.filter(({ architecture }) => architecture === processor);
  if (found.length === 0) {
    const there = fitting.map(({ architecture }) => architecture).join(", ");
    const wanted = processor ?? "a processor that its hosts have told";
    throw fault("artifact.architecture", `expected ${JSON.stringify(named)} for ${wanted}, found it for ${there}`);
  }
  return pickArtifact({ items: found, more: listed.more }, named);
}

/** Releases of one version that differ in nothing else than their processor. */
function areBuildsOfOne(fitting: readonly Artifact[]): boolean {
  const versions = new Set(fitting.map(({ kind, version }) => `${kind} ${version}`));
  return fitting.length > 1 && versions.size === 1 && fitting[0]?.kind === "release";
}

function isMeant({ id, tags, state }: Node, hosts: WantedHosts): boolean {
  return state !== "revoked" && (hosts.nodes.includes(id) || tags.some((tag) => hosts.tags.includes(tag)));
}

/** Every host of a plan gets the same bytes. One that has not described itself is the server's to refuse. */
function processorOf(nodes: readonly Node[]): string | undefined {
  const names = new Map<string, string[]>();
  for (const { name, facts } of nodes) {
    if (facts !== null) names.set(facts.arch, [...(names.get(facts.arch) ?? []), name]);
  }
  if (names.size < 2) return [...names.keys()][0];
  const found = [...names].map(([arch, of]) => `${arch} (${of.slice(0, shown).join(", ")}${moreOf(of.length)})`);
  throw fault("artifact.architecture", `expected hosts of one processor, found ${found.join(" and ")}`);
}

const shown = 4;

function moreOf(count: number): string {
  return count > shown ? ` and ${count - shown} more` : "";
}

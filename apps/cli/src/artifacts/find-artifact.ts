import { fault } from "@gatehouse/contract";
import { type Artifact, artifactRoute, artifactsRoute } from "@gatehouse/contract/routes";
import type { Connection } from "../server/connection.ts";
import { type Listed, listAll } from "../server/list-all.ts";
import { unexpected } from "../server/send-request.ts";

export const artifactArgument = {
  value: "ARTIFACT",
  about: "Its id, the last digits of it (four or more), NAME or NAME@VERSION, as gatehouse artifact list shows them.",
} as const;

/** More than a server keeps. */
export const mostArtifacts = 10_000;
/** The largest page of the route. */
export const artifactsPage = 200;

/** Reads an artifact as a person named it. */
export async function getNamedArtifact(
  connection: Pick<Connection, "call" | "server">,
  named: string,
): Promise<Artifact> {
  if (!isArtifactId(named)) return pickArtifact(await listArtifacts(connection), named);
  const { data } = await connection.call(artifactRoute, { params: { id: named } });
  if (data.id !== named) throw unexpected(connection.server, "it sent another artifact than it was asked for");
  return data;
}

/** Every artifact of the server, so that a name can be looked up. */
export function listArtifacts(connection: Pick<Connection, "call">): Promise<Listed<Artifact>> {
  return listAll(connection, artifactsRoute, { most: mostArtifacts, pageSize: artifactsPage });
}

export function isArtifactId(named: string): boolean {
  return idForm.test(named);
}

const idForm = /^artifact_[0-9a-hjkmnp-tv-z]{26}$/;
const suffixForm = /^[0-9a-hjkmnp-tv-z]{4,25}$/;

type Named = Pick<Artifact, "id" | "name" | "version" | "architecture">;

/** A publisher chooses the name: what is called like the digits of another is never taken for it, nor the other for it. */
export function pickArtifact<Item extends Named>({ items, more }: Listed<Item>, named: string): Item {
  const fitting = fittingArtifacts(items, named);
  const [first, second] = fitting;
  if (second !== undefined) {
    const found = fitting.slice(0, shown).map(({ id, version, architecture }) => `${id} (${version}, ${architecture})`);
    const rest = fitting.length > shown ? ` and ${fitting.length - shown} more` : "";
    throw fault("cli.artifact_ambiguous", `${quoted(named)} fits ${found.join(", ")}${rest}`);
  }
  if (more)
    throw fault("cli.artifact_ambiguous", `there are more than ${items.length}, and ${quoted(named)} may fit several`);
  if (first !== undefined) return first;
  throw fault("artifact.unknown", `no artifact has the name, the name and version or the last digits ${quoted(named)}`);
}

/** All that a person may have meant. */
export function fittingArtifacts<Item extends Named>(items: readonly Item[], named: string): Item[] {
  const isSuffix = suffixForm.test(named);
  return items.filter(
    ({ id, name, version }) => name === named || `${name}@${version}` === named || (isSuffix && id.endsWith(named)),
  );
}

const shown = 4;

function quoted(text: string): string {
  return JSON.stringify(text);
}

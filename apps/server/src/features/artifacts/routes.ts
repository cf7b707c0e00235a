import { fault, isFault } from "@gatehouse/contract";
import { type ArtifactRecord, artifactKind } from "@gatehouse/contract/records";
import {
  announceArtifactRoute,
  type Artifact,
  artifactContentRoute,
  artifactRoute,
  artifactsRoute,
  putArtifactPartRoute,
  removeArtifactRoute,
} from "@gatehouse/contract/routes";
import type { StoredRecord } from "@gatehouse/store";
import type { Blob } from "@gatehouse/store/blobs";
import { listRecords } from "@gatehouse/store/decide";
import { actorOf, ByteReply, recordReply, type Reply, type Route, route } from "../../platform/route/index.ts";
import { announceArtifact } from "./announce-artifact.ts";
import type { ArtifactBytes } from "./artifact-bytes.ts";
import { getArtifact, isWholeArtifact } from "./artifact-parts.ts";
import type { ArtifactsDeps } from "./artifacts-deps.ts";
import type { Joins } from "./join-parts.ts";
import { keepPart } from "./keep-part.ts";
import { removeArtifact } from "./remove-artifact.ts";
import { viewArtifact } from "./view-artifact.ts";

interface ArtifactRouteDeps extends ArtifactsDeps {
  readonly joins: Joins;
  readonly bytes: ArtifactBytes;
}

export function artifactRoutes(deps: ArtifactRouteDeps): readonly Route[] {
  const reply = ({ value, version }: StoredRecord<ArtifactRecord>, status = 200): Reply =>
    recordReply(status, viewArtifact(value, deps.partBytes), version);
  return [
    route(announceArtifactRoute, async ({ principal, body, request }) => {
      const { isNew, artifact } = await announceArtifact(deps, principal, body, request);
      return reply(artifact, isNew ? 201 : 200);
    }),
    route(putArtifactPartRoute, async ({ principal, params, bodyStream, request }) => {
      const part = { id: params.id, number: Number(params.number), bytes: bodyStream };
      await keepPart(deps, principal, part, request);
      return reply(await deps.joins.join(params.id, actorOf(principal)));
    }),
    route(artifactsRoute, ({ query }) => listArtifacts(deps, query.cursor, Number(query.limit ?? 50))),
    route(artifactRoute, async ({ params }) => reply(await getArtifact(deps.store, params.id))),
    route(artifactContentRoute, async ({ params }) => {
      const { value } = await getArtifact(deps.store, params.id);
      if (!isWholeArtifact(value))
        throw fault("artifact.not_whole", `${params.id} has ${value.parts.length} of its parts`);
      return contentOf(deps, value);
    }),
    route(removeArtifactRoute, ({ principal, params, request }) => removeArtifact(deps, principal, params.id, request)),
  ];
}

/** The newest first. Ids say nothing of age, so the cursor does; there are never many. */
async function listArtifacts(
  { store, partBytes }: Pick<ArtifactsDeps, "store" | "partBytes">,
  cursor: string | undefined,
  limit: number,
): Promise<{ items: Artifact[]; nextCursor: string | null }> {
  const all = (await listRecords(store, artifactKind)).map(({ value }) => value).toSorted(byAge);
  const last = cursor === undefined ? undefined : placeOf(cursor);
  const wanted = last === undefined ? all : all.filter((one) => byAge(last, one) < 0);
  const items = wanted.slice(0, limit);
  const end = wanted.length > items.length ? items.at(-1) : undefined;
  return {
    items: items.map((one) => viewArtifact(one, partBytes)),
    nextCursor: end === undefined ? null : `${end.createdAt}.${end.id}`,
  };
}

type Place = Pick<ArtifactRecord, "createdAt" | "id">;

function byAge(one: Place, other: Place): number {
  return other.createdAt - one.createdAt || (one.id < other.id ? -1 : Number(one.id > other.id));
}

function placeOf(cursor: string): Place {
  const dot = cursor.indexOf(".");
  return { createdAt: Number(cursor.slice(0, dot)), id: cursor.slice(dot + 1) };
}

async function contentOf(
  { blobs }: Pick<ArtifactsDeps, "blobs">,
  { sha256, size }: ArtifactRecord,
): Promise<ByteReply> {
  await (await openContent(blobs, sha256)).close();
  return new ByteReply({
    mediaType: "application/octet-stream",
    length: size,
    headers: { ETag: `"${sha256}"` },
    open: async function* () {
      const blob = await openContent(blobs, sha256);
      try {
        for (let at = 0; at < size; ) {
          const bytes = await blob.read(at, size - at);
          if (bytes.byteLength === 0) throw fault("artifact.bytes_missing", `blob ${sha256} is shorter than it was`);
          at += bytes.byteLength;
          yield bytes;
        }
      } finally {
        await blob.close();
      }
    },
  });
}

async function openContent(blobs: ArtifactsDeps["blobs"], sha256: string): Promise<Blob> {
  try {
    return await blobs.open(sha256);
  } catch (error) {
    if (!isFault(error, "blob.unknown")) throw error;
    throw fault("artifact.bytes_missing", `there is no blob ${sha256}, which the record names`, { cause: error });
  }
}

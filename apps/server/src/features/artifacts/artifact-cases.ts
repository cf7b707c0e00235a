import { createHash } from "node:crypto";
import { manualClock } from "@gatehouse/base";
import { type FaultCode, isFault } from "@gatehouse/contract";
import { type ArtifactRecord, artifactKind } from "@gatehouse/contract/records";
import type { AnnouncedArtifact } from "@gatehouse/contract/routes";
import { type Blobs, memoryBlobs } from "@gatehouse/store/blobs";
import { create, type Decide, openDecide } from "@gatehouse/store/decide";
import { farDatabase } from "@gatehouse/store/far";
import type { BodyStream, Principal, RequestFacts } from "../../platform/route/index.ts";
import { openLog } from "../../platform/log/index.ts";
import { announceArtifact } from "./announce-artifact.ts";
import { artifactIdOf } from "./artifact-id.ts";
import { openArtifactBytes } from "./artifact-bytes.ts";
import { openJoins } from "./join-parts.ts";
import { keepPart } from "./keep-part.ts";
import { removeArtifact } from "./remove-artifact.ts";
import { sweepArtifacts } from "./sweep-artifacts.ts";

/** Small, so that a test has many parts of few bytes. */
export const partBytes = 8;
/** Three parts, the last one short. */
export const bytes = Buffer.from("gatehouse, bit by bit");

export const principal: Principal = {
  id: "usr_ada",
  credential: { kind: "session", id: "ses_1" },
  scopes: new Set(["plan:create"]),
  authenticatedAt: 0,
};

export function digestOf(of: Uint8Array): string {
  return createHash("sha256").update(of).digest("hex");
}

export function announcedOf(of: Uint8Array, more: Partial<AnnouncedArtifact> = {}): AnnouncedArtifact {
  return {
    kind: "binary",
    name: "caddy",
    version: "2.8.4",
    architecture: "x64",
    sha256: digestOf(of),
    size: of.byteLength,
    publisher: "acme",
    signature: { keyId: "0a".repeat(16), ed25519: `${"A".repeat(86)}==` },
    ...more,
  } as AnnouncedArtifact;
}

export function bodyOf(of: Uint8Array, pieces: () => AsyncGenerator<Uint8Array> = () => slowly(of)): BodyStream {
  return { length: of.byteLength, [Symbol.asyncIterator]: pieces };
}

async function* slowly(of: Uint8Array): AsyncGenerator<Uint8Array> {
  for (const byte of of) yield await Promise.resolve(Uint8Array.of(byte));
}

export function partOf(of: Uint8Array, number: number): Uint8Array {
  return of.subarray(number * partBytes, (number + 1) * partBytes);
}

export interface SetUp {
  readonly blobs?: Blobs;
  /** The records of a server before. */
  readonly records?: readonly ArtifactRecord[];
  /** Stands between the feature and its decisions. */
  readonly through?: (decide: Decide) => Decide;
}

/** The feature without its routes, over a store far away. */
export async function setUpArtifacts({ blobs: given, records = [], through = (decide) => decide }: SetUp = {}) {
  const clock = manualClock();
  const database = farDatabase({ slow: 0 });
  const { store } = database.openReplica();
  const blobs = given ?? memoryBlobs({ clock });
  for (const record of records) {
    const key = artifactKind.key(record.id);
    const { name, version, architecture, sha256 } = record;
    const entry = { at: 0, actor: "system", action: "artifact.kept", subject: key.text } as const;
    await store.commit({ ...entry, detail: { name, version, architecture, sha256 } }, [create(key, record)]);
  }
  const naming: string[] = [];
  /** What happens once it was looked which plans name the artifact. */
  const hooks: { looked?: () => Promise<void> } = {};
  const log = openLog({ format: "text", write: () => undefined });
  const kept = openArtifactBytes({ store, blobs, log, blobsOfPlans: () => Promise.resolve([]) });
  const deps = {
    store,
    bytes: kept,
    decide: through(openDecide(store)),
    blobs,
    clock,
    partBytes,
    requireRights: () => Promise.resolve(),
    plansNaming: async () => {
      const found = [...naming];
      await hooks.looked?.();
      return found;
    },
  };
  const joins = openJoins(deps);
  const request = (): RequestFacts => ({
    method: "PUT",
    path: "/",
    requestId: "req_1",
    clientAddress: "192.0.2.1",
    now: clock.now(),
  });
  const id = artifactIdOf(digestOf(bytes));
  return {
    store,
    blobs,
    clock,
    naming,
    hooks,
    /** As another process sees the same records. */
    openOther: () => database.openReplica().store,
    id,
    announce: (announced = announcedOf(bytes)) => announceArtifact(deps, principal, announced, request()),
    keep: (number: number, body: BodyStream = bodyOf(partOf(bytes, number))) =>
      keepPart(deps, principal, { id, number, bytes: body }, request()),
    join: () => joins.join(id, principal.id),
    /** As the route does it. */
    bring: async (number: number, of: Uint8Array = bytes) => {
      await keepPart(deps, principal, { id, number, bytes: bodyOf(partOf(of, number)) }, request());
      return (await joins.join(id, principal.id)).value;
    },
    remove: () => removeArtifact(deps, principal, id, request()),
    sweep: () => sweepArtifacts({ ...deps, joins }),
    now: async () => (await store.get(artifactKind.key(id), { newest: true }))?.value,
    actions: async () => (await store.searchAudit({ order: "oldest", limit: 100 })).items.map(({ action }) => action),
  };
}

export async function contentOfBlob(blobs: Blobs, sha256: string): Promise<Buffer> {
  const blob = await blobs.open(sha256);
  const read = Buffer.from(await blob.read(0, blob.size));
  await blob.close();
  return read;
}

/** The code with which something is refused. */
export async function refusalCode(act: Promise<unknown>): Promise<FaultCode | "nothing"> {
  try {
    await act;
    return "nothing";
  } catch (error) {
    if (isFault(error)) return error.code as FaultCode;
    throw error;
  }
}

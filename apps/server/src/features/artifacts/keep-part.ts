import { createHash } from "node:crypto";
import { fault } from "@gatehouse/contract";
import type { ArtifactRecord } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { put } from "@gatehouse/store/decide";
import { actorOf, type BodyStream, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import type { ArtifactBytes } from "./artifact-bytes.ts";
import { loggedFacts, getArtifact, lengthOfPart } from "./artifact-parts.ts";
import type { ArtifactsDeps } from "./artifacts-deps.ts";

export interface BroughtPart {
  readonly id: string;
  readonly number: number;
  readonly bytes: BodyStream;
}

/** What keeping a part uses. */
export type KeepPartDeps = Pick<ArtifactsDeps, "store" | "decide" | "requireRights" | "partBytes"> & {
  readonly bytes: ArtifactBytes;
};

/**
 * Keeps a part: its bytes are durable first, then the record names them, or they go again. A part that is there already, or that
 * somebody else has brought first, is compared and never written again, so that nobody fills the disk with one part.
 */
export async function keepPart(
  deps: KeepPartDeps,
  principal: Principal,
  brought: BroughtPart,
  request: RequestFacts,
): Promise<StoredRecord<ArtifactRecord>> {
  const { id, number, bytes } = brought;
  const seen = await getArtifact(deps.store, id);
  const length = lengthOfPart(seen.value, number, deps.partBytes);
  if (bytes.length !== length) {
    throw fault("artifact.parts", `expected ${length} bytes of part ${number}, found ${bytes.length}`);
  }
  return deps.bytes.inTurn([`${id}.${number}`], async () => {
    const isThere = findPart((await getArtifact(deps.store, id)).value, number) !== undefined;
    const name = (part: string) => namePart(deps, principal, { id, number, part, isThere }, request);
    return isThere ? name(await digestOf(bytes)) : deps.bytes.keep(bytes, name);
  });
}

interface MeasuredPart {
  readonly id: string;
  readonly number: number;
  /** Its digest. */
  readonly part: string;
  /** It was on the record when its bytes came: they were compared and not kept. */
  readonly isThere: boolean;
}

async function namePart(
  deps: KeepPartDeps,
  principal: Principal,
  { id, number, part, isThere }: MeasuredPart,
  request: RequestFacts,
): Promise<StoredRecord<ArtifactRecord>> {
  const { sha256 } = (await getArtifact(deps.store, id)).value;
  return deps.decide([sha256], async (read) => {
    await deps.requireRights(read, principal, { scope: "plan:create", now: request.now });
    const before = await getArtifact(read, id);
    const { value } = before;
    const known = findPart(value, number);
    if (known?.sha256 === part) return { result: () => before };
    if (known !== undefined) {
      throw fault("artifact.differs", `part ${number} is there with the digest ${known.sha256}, found ${part}`);
    }
    // All parts were dropped since.
    if (isThere) throw fault("store.conflict", `part ${number} of ${id} was dropped meanwhile`);
    const parts = [...value.parts, { number, sha256: part }].toSorted((a, b) => a.number - b.number);
    const after: ArtifactRecord = { ...value, parts };
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "artifact.part_kept",
        subject: before.key.text,
        detail: { ...loggedFacts(after), number, part },
      }),
      changes: [put(before, after)],
      result: ({ version }) => ({ key: before.key, version, value: after }),
    };
  });
}

function findPart({ parts }: ArtifactRecord, number: number) {
  return parts.find((one) => one.number === number);
}

async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of bytes) hash.update(piece);
  return hash.digest("hex");
}

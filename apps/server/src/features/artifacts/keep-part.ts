import { createHash } from "node:crypto";
import { fault } from "@gatehouse/contract";
import type { ArtifactRecord } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { put } from "@gatehouse/store/decide";
import { actorOf, type BodyStream, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import { loggedFacts, getArtifact, lengthOfPart } from "./artifact-parts.ts";
import type { ArtifactsDeps } from "./artifacts-deps.ts";

export interface BroughtPart {
  readonly id: string;
  readonly number: number;
  readonly bytes: BodyStream;
}

/**
 * Keeps a part: its bytes are durable first, then the record names them. Whatever ends in between leaves bytes that nobody names. A part
 * that is there already is compared and never written again, so that nobody fills the disk with one part.
 */
export async function keepPart(
  deps: Pick<ArtifactsDeps, "store" | "decide" | "blobs" | "requireRights" | "partBytes">,
  principal: Principal,
  { id, number, bytes }: BroughtPart,
  request: RequestFacts,
): Promise<StoredRecord<ArtifactRecord>> {
  const seen = await getArtifact(deps.store, id);
  const length = lengthOfPart(seen.value, number, deps.partBytes);
  if (bytes.length !== length) {
    throw fault("artifact.parts", `expected ${length} bytes of part ${number}, found ${bytes.length}`);
  }
  const isThere = findPart(seen.value, number) !== undefined;
  const part = isThere ? await digestOf(bytes) : await deps.blobs.put(bytes);
  const { sha256 } = seen.value;
  return deps.decide([sha256], async (read) => {
    await deps.requireRights(read, principal, { scope: "plan:create", now: request.now });
    const before = await getArtifact(read, id);
    const { value } = before;
    const known = findPart(value, number);
    if (known?.sha256 === part) return { result: () => before };
    if (known !== undefined) {
      throw fault("artifact.differs", `part ${number} is there with the digest ${known.sha256}, found ${part}`);
    }
    // It was there when this began, and all parts were dropped since: these bytes were compared and not kept.
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

import { byteForm } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract";
import type { ArtifactRecord } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { put } from "@gatehouse/store/decide";
import { getArtifact, loggedFacts, isComplete, isWholeArtifact } from "./artifact-parts.ts";
import type { ArtifactsDeps } from "./artifacts-deps.ts";

type JoinDeps = Pick<ArtifactsDeps, "store" | "decide" | "blobs" | "clock" | "partBytes">;

export interface Joins {
  /** Joins the parts when all of them are there, and says how the artifact is then. Whoever asks meanwhile waits for the same joining. */
  join(id: string, by: string): Promise<StoredRecord<ArtifactRecord>>;
  close(): Promise<void>;
}

export function openJoins(deps: JoinDeps): Joins {
  const underWay = new Map<string, Promise<StoredRecord<ArtifactRecord>>>();
  return {
    join: (id, by) => {
      const known = underWay.get(id);
      if (known !== undefined) return known;
      const joining = joinParts(deps, id, by).finally(() => underWay.delete(id));
      underWay.set(id, joining);
      return joining;
    },
    close: async () => {
      await Promise.allSettled(underWay.values());
    },
  };
}

/**
 * One blob of all parts, and the record names it in their place when its digest is the one announced. When it is not, the parts are
 * dropped: nobody can say which of them is wrong. What fails for any other reason leaves them for another try.
 */
async function joinParts(deps: JoinDeps, id: string, by: string): Promise<StoredRecord<ArtifactRecord>> {
  // Two who brought the last two parts at once must not both miss the other's.
  const seen = await getArtifact(deps.store, id, { newest: true });
  if (isWholeArtifact(seen.value) || !isComplete(seen.value, deps.partBytes)) return seen;
  const found = await writeWhole(deps, seen.value);
  const isGood = found === seen.value.sha256;
  const joined = await deps.decide([seen.value.sha256], async (read) => {
    const before = await getArtifact(read, id);
    const { value } = before;
    // Others joined it, or began anew: what was found is not about these parts.
    if (isWholeArtifact(value) || !hasParts(value, seen.value)) return { result: () => before };
    const now = deps.clock.now();
    const after: ArtifactRecord = isGood ? { ...value, wholeAt: now } : { ...value, parts: [] };
    const said = { at: now, actor: by, subject: before.key.text };
    return {
      entry: isGood
        ? { ...said, action: "artifact.kept", outcome: "done", detail: loggedFacts(value) }
        : { ...said, action: "artifact.refused", outcome: "refused", detail: { ...loggedFacts(value), found } },
      changes: [put(before, after)],
      result: ({ version }) => ({ key: before.key, version, value: after }),
    };
  });
  if (isGood) return joined;
  throw fault("artifact.digest", `expected bytes with the digest ${seen.value.sha256}, found ${found}`);
}

/** The digest of what the parts are together, or what is wrong with one of them. */
async function writeWhole({ blobs }: JoinDeps, { parts }: ArtifactRecord): Promise<string> {
  try {
    return await blobs.put(readParts(blobs, parts));
  } catch (error) {
    // As after a backup that was restored without its blobs.
    if (isFault(error, "blob.unknown")) return `a part that is not there any more: ${error.detail}`;
    throw error;
  }
}

async function* readParts(blobs: JoinDeps["blobs"], parts: ArtifactRecord["parts"]): AsyncGenerator<Uint8Array> {
  for (const { sha256 } of parts) {
    const blob = await blobs.open(sha256);
    try {
      for (let at = 0; at < blob.size; ) {
        const bytes = await blob.read(at, blob.size - at);
        if (bytes.byteLength === 0) throw fault("blob.unknown", `blob ${sha256} is shorter than it was`);
        at += bytes.byteLength;
        yield bytes;
      }
    } finally {
      await blob.close();
    }
  }
}

function hasParts({ parts }: ArtifactRecord, wanted: ArtifactRecord): boolean {
  return Buffer.compare(byteForm(parts), byteForm(wanted.parts)) === 0;
}

import { byteForm } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract";
import type { ArtifactRecord } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { put } from "@gatehouse/store/decide";
import type { ArtifactBytes } from "./artifact-bytes.ts";
import { getArtifact, isComplete, isWholeArtifact, loggedFacts, partsOfArtifact } from "./artifact-parts.ts";
import type { ArtifactsDeps } from "./artifacts-deps.ts";

type JoinDeps = Pick<ArtifactsDeps, "store" | "decide" | "blobs" | "clock" | "partBytes"> & {
  readonly bytes: ArtifactBytes;
};

export interface Joins {
  /** Joins the parts when all of them are there, and says how the artifact is then. Whoever asks meanwhile waits for the same joining. */
  join(id: string, by: string): Promise<StoredRecord<ArtifactRecord>>;
  close(): Promise<void>;
}

/** All artifacts are joined one after the other: while one is, its bytes are on the disk twice. */
const turn = "join";

export function openJoins(deps: JoinDeps): Joins {
  const underWay = new Map<string, Promise<StoredRecord<ArtifactRecord>>>();
  return {
    join: (id, by) => {
      const known = underWay.get(id);
      if (known !== undefined) return known;
      const joining = joinComplete(deps, id, by).finally(() => underWay.delete(id));
      underWay.set(id, joining);
      return joining;
    },
    close: async () => {
      await Promise.allSettled(underWay.values());
    },
  };
}

async function joinComplete(deps: JoinDeps, id: string, by: string): Promise<StoredRecord<ArtifactRecord>> {
  // Two who brought the last two parts at once must not both miss the other's.
  const seen = await getArtifact(deps.store, id, { newest: true });
  if (isWholeArtifact(seen.value) || !isComplete(seen.value, deps.partBytes)) return seen;
  return deps.bytes.inTurn([turn], () => joinParts(deps, seen, by));
}

/**
 * One blob of all parts, and the record names it in their place when its digest is the one announced. When it is not, the parts are
 * dropped: nobody can say which of them is wrong. What fails for any other reason leaves them for another try.
 */
async function joinParts(
  deps: JoinDeps,
  { key, value: seen }: StoredRecord<ArtifactRecord>,
  by: string,
): Promise<StoredRecord<ArtifactRecord>> {
  const { bytes, blobs } = deps;
  const judge = async (found: string) => ({ found, joined: await keepJudged(deps, key.id, { seen, found, by }) });
  const { found, joined } = await bytes.keep(readParts(blobs, seen.parts), judge).catch((error: unknown) => {
    // As after a backup that was restored without its blobs.
    if (isFault(error, "blob.unknown")) return judge(`a part that is not there any more: ${error.detail}`);
    throw error;
  });
  await bytes.release(partsOfArtifact(seen, deps.partBytes));
  if (found === seen.sha256) return joined;
  throw fault("artifact.digest", `expected bytes with the digest ${seen.sha256}, found ${found}`);
}

interface JudgedParts {
  readonly seen: ArtifactRecord;
  /** The digest of what the parts are together, or what is wrong with one of them. */
  readonly found: string;
  readonly by: string;
}

function keepJudged(
  { decide, clock }: Pick<JoinDeps, "decide" | "clock">,
  id: string,
  { seen, found, by }: JudgedParts,
): Promise<StoredRecord<ArtifactRecord>> {
  const isGood = found === seen.sha256;
  return decide([seen.sha256], async (read) => {
    const before = await getArtifact(read, id);
    const { value } = before;
    // Others joined it, or began anew: what was found is not about these parts.
    if (isWholeArtifact(value) || !hasParts(value, seen)) return { result: () => before };
    const now = clock.now();
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

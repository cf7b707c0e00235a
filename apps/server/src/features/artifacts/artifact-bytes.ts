import { type InTurn, openTurns } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract";
import { artifactKind } from "@gatehouse/contract/records";
import type { BlobOwner } from "@gatehouse/store/blobs";
import { listRecords } from "@gatehouse/store/decide";
import { blobsOfArtifact, type KeptBytes } from "./artifact-parts.ts";
import type { ArtifactsDeps } from "./artifacts-deps.ts";

/** The bytes of artifacts on the disk: what no record names takes room from nobody, or is counted as long as it does. */
export interface ArtifactBytes {
  /** Who brings the same thing waits for who brings it already: one of them is on the disk. */
  readonly inTurn: InTurn;
  /** Keeps bytes and has `name` put them on the record. What is on no record then is removed at once. */
  keep<T>(bytes: AsyncIterable<Uint8Array>, name: (sha256: string) => Promise<T>): Promise<T>;
  /** Removes what a record has named until now, unless another names it, or somebody reads it or brings it. Never rejects. */
  release(dropped: readonly KeptBytes[]): Promise<void>;
  /** Tries again with what could not be removed. Never rejects. */
  releaseLeft(): Promise<void>;
  /** How many bytes these still have. */
  leftBytes(): number;
}

export function openArtifactBytes({
  store,
  blobs,
  log,
  blobsOfPlans,
}: Pick<ArtifactsDeps, "store" | "blobs" | "log" | "blobsOfPlans">): ArtifactBytes {
  /** How many bring each of them and have no record of it yet. */
  const onTheirWay = new Map<string, number>();
  const left = new Map<string, number>();
  const count = (sha256: string, more: 1 | -1): void => {
    const now = (onTheirWay.get(sha256) ?? 0) + more;
    if (now > 0) onTheirWay.set(sha256, now);
    else onTheirWay.delete(sha256);
  };
  const owner: BlobOwner = {
    onBrought: (sha256) => count(sha256, 1),
    isOnItsWay: (sha256) => onTheirWay.has(sha256),
    isNamed: async (sha256) => (await namedBlobs(store)).includes(sha256) || (await blobsOfPlans()).includes(sha256),
  };
  const releaseLeft = async (of: Iterable<string> = [...left.keys()]): Promise<void> => {
    for (const sha256 of of) {
      try {
        if ((await blobs.remove(sha256, owner)) !== "held") left.delete(sha256);
      } catch (error) {
        if (!isFault(error, "store.closed")) log.error("bytes of artifacts could not be removed", { sha256 }, error);
      }
    }
  };
  const release = async (dropped: readonly KeptBytes[]): Promise<void> => {
    for (const { sha256, size } of dropped) left.set(sha256, size);
    await releaseLeft(dropped.map(({ sha256 }) => sha256));
  };
  return {
    inTurn: openTurns(),
    keep: async (bytes, name) => {
      let size = 0;
      const counted = async function* () {
        for await (const piece of bytes) {
          size += piece.byteLength;
          yield piece;
        }
      };
      const sha256 = await blobs.put(counted(), owner);
      let isUnknown = false;
      try {
        return await name(sha256);
      } catch (error) {
        // A record may name it all the same: then it must be there.
        isUnknown = isFault(error, "store.outcome_unknown");
        throw error;
      } finally {
        count(sha256, -1);
        if (!isUnknown) await release([{ sha256, size }]);
      }
    },
    release,
    releaseLeft: () => releaseLeft(),
    leftBytes: () => [...left.values()].reduce((sum, size) => sum + size, 0),
  };
}

/** Blobs that records of artifacts name. */
export async function namedBlobs(store: Pick<ArtifactsDeps["store"], "list">): Promise<readonly string[]> {
  return (await listRecords(store, artifactKind)).flatMap(({ value }) => blobsOfArtifact(value));
}

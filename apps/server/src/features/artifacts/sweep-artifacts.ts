import { runAll } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract";
import { type ArtifactRecord, artifactKind } from "@gatehouse/contract/records";
import { listRecords, remove } from "@gatehouse/store/decide";
import type { ArtifactBytes } from "./artifact-bytes.ts";
import { bytesOfArtifact, isComplete, isWholeArtifact, loggedFacts } from "./artifact-parts.ts";
import type { ArtifactsDeps } from "./artifacts-deps.ts";
import type { Joins } from "./join-parts.ts";
import { artifactsLimits } from "./limits.ts";

type SweepDeps = Pick<ArtifactsDeps, "store" | "decide" | "clock" | "log" | "every" | "partBytes"> & {
  readonly joins: Pick<Joins, "join">;
  readonly bytes: ArtifactBytes;
};

/** Removes artifacts that stay on their way and bytes that somebody held, and joins those whose joining was interrupted. */
export function openArtifactSweep(deps: SweepDeps) {
  let underWay: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    try {
      await sweepArtifacts(deps);
    } catch (error) {
      if (!isFault(error, "store.closed")) deps.log.error("artifacts could not be swept", {}, error);
    } finally {
      underWay = undefined;
    }
  };
  const stop = deps.every(artifactsLimits.sweepMs, () => {
    underWay ??= run();
  });
  return {
    close: async (): Promise<void> => {
      stop();
      await underWay;
    },
  };
}

export async function sweepArtifacts(deps: Omit<SweepDeps, "every" | "log">): Promise<void> {
  const now = deps.clock.now();
  const arriving = (await listRecords(deps.store, artifactKind)).filter(({ value }) => !isWholeArtifact(value));
  await runAll([
    () => deps.bytes.releaseLeft(),
    // One that finds no room to be joined keeps no other from being removed.
    ...arriving.map(({ value }) => async () => {
      if (isStale(value, now)) await removeStale(deps, value, now);
      else if (isComplete(value, deps.partBytes)) await joinAgain(deps, value.id);
    }),
  ]);
}

function isStale(record: ArtifactRecord, now: number): boolean {
  return !isWholeArtifact(record) && record.createdAt + artifactsLimits.arrivingMs <= now;
}

async function joinAgain({ joins }: Pick<SweepDeps, "joins">, id: string): Promise<void> {
  try {
    await joins.join(id, "system");
  } catch (error) {
    // The log has it: the parts are dropped, and whoever brought them sees that.
    if (!isFault(error, "artifact.digest") && !isFault(error, "artifact.unknown")) throw error;
  }
}

async function removeStale(
  { decide, bytes, partBytes }: Pick<SweepDeps, "decide" | "bytes" | "partBytes">,
  { id, sha256 }: ArtifactRecord,
  now: number,
): Promise<void> {
  const removed = await decide([sha256], async (read) => {
    const found = await read.get(artifactKind.key(id));
    if (found === undefined || !isStale(found.value, now)) return { result: () => [] };
    return {
      entry: {
        at: now,
        actor: "system",
        action: "artifact.removed",
        subject: found.key.text,
        outcome: "done",
        detail: { ...loggedFacts(found.value), reason: "it did not arrive whole within a day" },
      },
      changes: [remove(found)],
      result: () => bytesOfArtifact(found.value, partBytes),
    };
  });
  await bytes.release(removed);
}

import { fault } from "@gatehouse/contract";
import { type ArtifactRecord, artifactKind } from "@gatehouse/contract/records";
import type { AnnouncedArtifact } from "@gatehouse/contract/routes";
import type { StoredRecord } from "@gatehouse/store";
import { create, listRecords } from "@gatehouse/store/decide";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import { artifactIdOf } from "./artifact-id.ts";
import { loggedFacts } from "./artifact-parts.ts";
import type { ArtifactBytes } from "./artifact-bytes.ts";
import type { ArtifactsDeps } from "./artifacts-deps.ts";
import { differingFacts } from "./differing-facts.ts";
import { artifactsLimits } from "./limits.ts";

/** All artifacts share one bound, so they are announced one after the other. */
const turn = "artifacts";

/** Opens the record that parts are brought to. The same facts again are the same artifact; the same bytes under other facts are refused. */
export function announceArtifact(
  deps: Pick<ArtifactsDeps, "store" | "decide" | "requireRights"> & { readonly bytes: ArtifactBytes },
  principal: Principal,
  announced: AnnouncedArtifact,
  request: RequestFacts,
): Promise<{ readonly isNew: boolean; readonly artifact: StoredRecord<ArtifactRecord> }> {
  const { now } = request;
  const key = artifactKind.key(artifactIdOf(announced.sha256));
  return deps.decide([turn, announced.sha256], async (read) => {
    await deps.requireRights(read, principal, { scope: "plan:create", now });
    const found = await read.get(key);
    if (found !== undefined) {
      const differing = differingFacts(announced, found.value);
      if (differing.length === 0) return { result: () => ({ isNew: false, artifact: found }) };
      throw fault("artifact.differs", `${key.id} has these bytes, with another ${differing.join(", ")}`);
    }
    await requireRoom(deps, announced.size);
    const actor = actorOf(principal);
    const record: ArtifactRecord = { id: key.id, ...announced, parts: [], createdAt: now, by: actor };
    return {
      entry: entryOf(request, {
        actor,
        action: "artifact.announced",
        subject: key.text,
        detail: {
          ...loggedFacts(record),
          size: record.size,
          keyId: record.signature.keyId,
          ...(record.publisher !== undefined && { publisher: record.publisher }),
        },
      }),
      changes: [create(key, record)],
      result: ({ version }) => ({ isNew: true, artifact: { key, version, value: record } }),
    };
  });
}

/** By what was announced, not by what has arrived: an artifact that was let in finds its room. Beside it by what is still to go. */
async function requireRoom(
  { store, bytes }: Pick<ArtifactsDeps, "store"> & { readonly bytes: ArtifactBytes },
  size: number,
): Promise<void> {
  const all = await listRecords(store, artifactKind);
  const announced = all.reduce((sum, { value }) => sum + value.size, 0);
  if (announced + bytes.leftBytes() + size > artifactsLimits.bytes) await bytes.releaseLeft();
  const used = announced + bytes.leftBytes();
  if (all.length >= artifactsLimits.artifacts) {
    throw fault(
      "artifact.quota",
      `expected at most ${artifactsLimits.artifacts} artifacts, found ${all.length} already`,
    );
  }
  if (used + size <= artifactsLimits.bytes) return;
  throw fault(
    "artifact.quota",
    `expected at most ${artifactsLimits.bytes} bytes of all artifacts together, found ${used} already`,
  );
}

import { fault } from "@gatehouse/contract";
import { remove } from "@gatehouse/store/decide";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import type { ArtifactBytes } from "./artifact-bytes.ts";
import { bytesOfArtifact, getArtifact, loggedFacts } from "./artifact-parts.ts";
import type { ArtifactsDeps } from "./artifacts-deps.ts";

/** Removes an artifact, and its bytes at once. A plan that names it writes its record: of the two, the second finds what the first has done. */
export async function removeArtifact(
  deps: Pick<ArtifactsDeps, "store" | "decide" | "requireRights" | "plansNaming" | "partBytes"> & {
    readonly bytes: ArtifactBytes;
  },
  principal: Principal,
  id: string,
  request: RequestFacts,
): Promise<undefined> {
  const { now } = request;
  const { sha256 } = (await getArtifact(deps.store, id)).value;
  const removed = await deps.decide([sha256], async (read) => {
    await deps.requireRights(read, principal, { scope: "plan:create", now });
    const found = await getArtifact(read, id);
    const plans = await deps.plansNaming(sha256, now);
    if (plans.length > 0) {
      const shown = plans.slice(0, shownPlans);
      throw fault("artifact.in_use", `expected no open plan that names it, found ${shown.join(", ")}`, {
        fields: { plans: shown },
      });
    }
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "artifact.removed",
        subject: found.key.text,
        detail: loggedFacts(found.value),
      }),
      changes: [remove(found)],
      result: () => found.value,
    };
  });
  await deps.bytes.release(bytesOfArtifact(removed, deps.partBytes));
}

const shownPlans = 10;

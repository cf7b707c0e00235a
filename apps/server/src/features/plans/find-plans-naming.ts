import { isPlanEnd } from "@gatehouse/contract";
import { planKind } from "@gatehouse/contract/records";
import { listRecords } from "@gatehouse/store/decide";
import type { PlansDeps } from "./plans-deps.ts";
import { stateAt } from "./view-plan.ts";

/** Plans that have not ended and name the artifact with this digest: the newest too, which another server may have made a moment ago. */
export async function findPlansNaming(
  store: Pick<PlansDeps["store"], "list">,
  sha256: string,
  now: number,
): Promise<readonly string[]> {
  const all = await listRecords(store, planKind, { newest: true });
  return all
    .filter(({ value }) => !isPlanEnd(stateAt(value, now)) && value.artifacts?.includes(sha256) === true)
    .map(({ value }) => value.id);
}

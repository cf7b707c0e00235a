import { planKind } from "@gatehouse/contract/records";
import { limits } from "@gatehouse/store";
import { create, openDecide } from "@gatehouse/store/decide";
import { expect, test } from "vitest";
import { plansLimits } from "./limits.ts";
import { sweepPlans } from "./open-plan-sweep.ts";
import { setUpRuns } from "./plan-run-cases.ts";

/** The sweep over what the runs have kept. */
function openSweep(runs: ReturnType<typeof setUpRuns>) {
  const { store, blobs, clock } = runs;
  const deps = { store, decide: openDecide(store), blobs, clock, blobsOfOthers: () => Promise.resolve([]) };
  return () => sweepPlans(deps);
}

test("the bytes of a plan stay while its record does, however many plans there are before it", async () => {
  const runs = setUpRuns();
  const { plan } = await runs.keepPlan();
  const half = limits.pageItems / 2;
  for (const first of [0, half]) {
    const ids = Array.from({ length: half }, (_, n) => `plan_${String(first + n).padStart(26, "0")}`);
    expect(ids.every((id) => id < plan.id)).toBe(true);
    // Each of them is older, and names no bytes of the newest.
    await runs.change(
      ids.map((id) => create(planKind.key(id), { ...plan, id, document: "0".repeat(64), evidence: "1".repeat(64) })),
    );
  }
  const sweep = openSweep(runs);
  await sweep();
  runs.clock.advance(plansLimits.strayBlobMs);
  await sweep();
  for (const name of [plan.document, plan.evidence]) await (await runs.blobs.open(name)).close();
});

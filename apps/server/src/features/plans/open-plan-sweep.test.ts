import { planKind } from "@gatehouse/contract/records";
import { fault } from "@gatehouse/contract";
import { limits } from "@gatehouse/store";
import { create, type Decide, openDecide } from "@gatehouse/store/decide";
import { expect, test } from "vitest";
import { plansLimits } from "./limits.ts";
import { sweepPlans } from "./open-plan-sweep.ts";
import { setUpRuns } from "./plan-run-cases.ts";

/** The sweep over what the runs have kept. */
function openSweep({ store, blobs, clock }: ReturnType<typeof setUpRuns>, decide: Decide = openDecide(store)) {
  const deps = { store, decide, blobs, clock, blobsOfOthers: () => Promise.resolve([]) };
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

test("bytes that nobody names go also while nothing can be written, which is how a full disk gets room", async () => {
  const runs = setUpRuns();
  const { plan } = await runs.keepPlan();
  await runs.move(plan.id, "in_review");
  const stray = await runs.blobs.put([Buffer.from("nobody's")]);
  const sweep = openSweep(runs, () => Promise.reject(fault("store.disk_full", "full")));
  await sweep();
  // The plan's time is over, and nobody can write so.
  runs.clock.advance(plansLimits.strayBlobMs);
  await expect(sweep()).rejects.toMatchObject({ code: "store.disk_full" });
  await expect(runs.blobs.open(stray)).rejects.toMatchObject({ code: "blob.unknown" });
});

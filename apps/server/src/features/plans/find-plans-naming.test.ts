import { planKind } from "@gatehouse/contract/records";
import { create } from "@gatehouse/store/decide";
import { farDatabase } from "@gatehouse/store/far";
import { expect, test } from "vitest";
import { findPlansNaming } from "./find-plans-naming.ts";
import { hour, setUpRuns } from "./plan-run-cases.ts";

const sha256 = "a".repeat(64);

test("a plan that another server made a moment ago is found by its artifact, until its time is over", async () => {
  const { plan } = await setUpRuns().keepPlan({ artifacts: [sha256] });
  const open = { ...plan, state: "in_review" } as const;
  for (let seed = 1; seed <= 20; seed += 1) {
    const database = farDatabase({ seed });
    const [here, there] = [database.openReplica().store, database.openReplica().store];
    const detail = { digest: plan.digest, title: plan.title, nodes: 1, kinds: [], state: open.state, refusals: 0 };
    const key = planKind.key(plan.id);
    const entry = { at: 0, actor: "usr_ada", action: "plan.created", subject: key.text, detail } as const;
    await there.commit(entry, [create(key, open)]);
    expect(await findPlansNaming(here, sha256, plan.createdAt), `seed ${seed}`).toEqual([plan.id]);
    expect(await findPlansNaming(here, "b".repeat(64), plan.createdAt)).toEqual([]);
    expect(await findPlansNaming(here, sha256, plan.createdAt + hour)).toEqual([]);
  }
});

import { fault, mayPlanMove } from "@gatehouse/contract";
import type { PlanRecord } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { create, put } from "@gatehouse/store/decide";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import { readServerSettings } from "../settings/index.ts";
import type { ApproveDeps } from "./approve-plan.ts";
import { readCounted } from "./approver-accounts.ts";
import { countAwaiting } from "./count-awaiting.ts";
import { firstTasks } from "./keep-tasks.ts";
import { readStanding } from "./kept-statements.ts";
import { getPlan } from "./make-plan.ts";
import type { TargetPlan } from "./move-plan.ts";
import { taskKey } from "./task-records.ts";
import { stateAt } from "./view-plan.ts";

/**
 * Starts an approved plan, or goes on with one that was halted. The commit that starts it makes its first tasks; the runner makes
 * the rest. Nothing has been sent when this resolves.
 */
export async function startPlan(
  deps: ApproveDeps,
  principal: Principal,
  target: TargetPlan,
  request: RequestFacts,
): Promise<StoredRecord<PlanRecord>> {
  const { now } = request;
  const { value: seen } = await getPlan(deps.store, target.id);
  // Before it is said that it runs: a plan without its bytes could be sent to nobody.
  const hosts = await deps.hostsOf(seen);
  const tasks = await firstTasks(deps.blobs, seen, 0, now);
  return deps.decide([target.id], async (read) => {
    await deps.requireRights(read, principal, { scope: "plan:apply", now });
    const before = await getPlan(read, target.id);
    if (before.version !== target.version) {
      throw fault("request.stale", `the plan ${target.id} has changed since it was read`);
    }
    const again = judgeState(before.value, now);
    // Approvals may have ended since they were counted, or whoever gave them was disabled. A plan that goes on ends as refused for hosts
    // that have none left.
    if (!again) {
      const counted = await readCounted(read, before.value);
      judgeAwaiting(countAwaiting(hosts, await readStanding(deps.blobs, counted, now), now));
    }
    const { stopped } = (await readServerSettings(read)).plans;
    if (stopped !== null) throw fault("plan.stopped", `stopped by ${stopped.by}: ${stopped.reason}`);
    const actor = actorOf(principal);
    const { reason: _, ...kept } = before.value;
    const after: PlanRecord = { ...kept, state: "running", stateAt: now, movedBy: actor };
    return {
      entry: entryOf(request, {
        actor,
        action: "plan.started",
        subject: before.key.text,
        detail: { digest: after.digest, title: after.title, tasks: after.nodes, again },
      }),
      changes: [
        put(before, after),
        ...(again ? [] : tasks.map((task) => create(taskKey(task.plan, task.index), task))),
      ],
      result: ({ version }) => ({ key: before.key, version, value: after }),
    };
  });
}

/** Whether it goes on after a halt. */
function judgeState(plan: PlanRecord, now: number): boolean {
  const state = stateAt(plan, now);
  if (state === "in_review") judgeAwaiting(plan.awaiting ?? plan.nodes);
  if (!mayPlanMove(state, "running"))
    throw fault("plan.move_refused", `it is ${state}, from where nothing leads to running`);
  return state === "halted";
}

function judgeAwaiting(awaiting: number): void {
  if (awaiting > 0) throw fault("plan.not_approved", `hosts that wait for an approval: ${awaiting}`);
}

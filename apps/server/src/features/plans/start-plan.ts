import { fault, mayPlanMove, type WantedRun } from "@gatehouse/contract";
import type { PlanRecord } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { create, put } from "@gatehouse/store/decide";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import { readServerSettings } from "../settings/index.ts";
import type { ApproveDeps } from "./approve-plan.ts";
import { readCounted } from "./approver-accounts.ts";
import { arrangeWaves } from "./arrange-waves.ts";
import { countAwaiting } from "./count-awaiting.ts";
import { firstTasks } from "./keep-tasks.ts";
import { readStanding } from "./kept-statements.ts";
import { getPlan } from "./make-plan.ts";
import type { TargetPlan } from "./move-plan.ts";
import type { PlanHost } from "./plan-hosts.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { nodesWithTag } from "./resolve-nodes.ts";
import { isTaskOver, readTasks, taskKey } from "./task-records.ts";
import { stateAt } from "./view-plan.ts";
import { hasKept, type PlanRunOrder, runOrderOf } from "./wave-book.ts";
import { keepWaveOrder } from "./wave-order.ts";

export type StartDeps = ApproveDeps & Pick<PlansDeps, "listNodes" | "tasks">;

/**
 * Starts an approved plan, or goes on with one that was halted. The commit that starts it makes its first tasks; the runner makes
 * the rest. Nothing has been sent when this resolves.
 */
export async function startPlan(
  deps: StartDeps,
  principal: Principal,
  target: TargetPlan,
  { wanted, request }: { readonly wanted: WantedRun | undefined; readonly request: RequestFacts },
): Promise<StoredRecord<PlanRecord>> {
  const { now } = request;
  const { value: seen } = await getPlan(deps.store, target.id);
  // Before it is said that it runs: a plan without its bytes could be sent to nobody.
  const hosts = await deps.hostsOf(seen);
  const isAgain = seen.state === "halted";
  if (isAgain && (wanted?.waves ?? wanted?.halt) !== undefined) {
    throw fault("plan.waves", "the plan was started before: it goes on in the waves that were chosen then");
  }
  const { run, waveOf } = isAgain ? await forgive(deps, seen) : await arrange(deps, hosts, wanted ?? {});
  const tasks = await firstTasks(deps.blobs, seen, { first: 0, now, waveOf });
  return deps.decide([target.id], async (read) => {
    await deps.requireRights(read, principal, { scope: "plan:apply", now });
    const before = await getPlan(read, target.id);
    if (before.version !== target.version) {
      throw fault("request.stale", `the plan ${target.id} has changed since it was read`);
    }
    const again = judgeState(before.value, now);
    if (again !== isAgain) throw fault("request.stale", `the plan ${target.id} has changed since it was read`);
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
    const after: PlanRecord = { ...kept, run, state: "running", stateAt: now, movedBy: actor };
    return {
      entry: entryOf(request, {
        actor,
        action: "plan.started",
        subject: before.key.text,
        detail: { digest: after.digest, title: after.title, tasks: after.nodes, again, waves: run.waves.length },
      }),
      changes: [
        put(before, after),
        ...(again ? [] : tasks.map((task) => create(taskKey(task.plan, task.index), task))),
      ],
      result: ({ version }) => ({ key: before.key, version, value: after }),
    };
  });
}

interface OrderedRun {
  readonly run: PlanRunOrder;
  readonly waveOf: (section: number) => number;
}

/** Where nobody says when waves halt, the first host that does not keep the change halts them. */
async function arrange(
  { blobs, tasks, listNodes }: StartDeps,
  hosts: readonly PlanHost[],
  { waves: wanted, halt }: WantedRun,
): Promise<OrderedRun> {
  const tagged = new Map<string, ReadonlySet<string>>();
  for (const tag of wanted?.tags ?? []) {
    tagged.set(tag, new Set((await nodesWithTag({ listNodes }, tag)).map(({ id }) => id)));
  }
  const here = hosts.map(({ node }) => ({ node, isHere: tasks.canTakeTasks(node) }));
  const { waves, waveOf } = arrangeWaves(here, tagged, wanted);
  const run: PlanRunOrder = {
    waves: waves.map((wave) => ({ ...wave })),
    ...(waves.length > 1 && { order: await keepWaveOrder(blobs, waveOf) }),
    halt: halt ?? (wanted === undefined ? null : { after: 1 }),
    forgiven: [],
  };
  return { run, waveOf: (section) => waveOf[section] ?? 0 };
}

/** Whoever goes on has seen which hosts have not kept the change: only those that follow halt the plan again. */
async function forgive(deps: StartDeps, plan: PlanRecord): Promise<OrderedRun> {
  const order = runOrderOf(plan);
  const forgiven = order.waves.map(() => 0);
  for await (const { value } of readTasks(deps, plan.id)) {
    const { state, wave = 0 } = value;
    if (isTaskOver(value) && !hasKept(state)) forgiven[wave] = (forgiven[wave] ?? 0) + 1;
  }
  return { run: { ...order, forgiven }, waveOf: () => 0 };
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

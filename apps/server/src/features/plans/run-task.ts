import { type FaultCode, isFault, isPlanEnd } from "@gatehouse/contract";
import { type PlanApproval, type PlanRecord, planKind, type TaskRecord } from "@gatehouse/contract/records";
import type { TaskWord } from "../fleet/index.ts";
import { readServerSettings } from "../settings/index.ts";
import type { Reads } from "@gatehouse/store/decide";
import { readCounted } from "./approver-accounts.ts";
import { type ChosenApproval, chooseApproval } from "./choose-approval.ts";
import { readWholeBlob } from "./evidence.ts";
import type { HeldPlans } from "./held-plans.ts";
import { holdLast } from "./hold-last.ts";
import { plansLimits } from "./limits.ts";
import { makeTask, materialOf, signOrder } from "./make-task.ts";
import { endTask, markSent, markUnknown, type TaskEnd } from "./move-task.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { isTaskOver, taskKey } from "./task-records.ts";
import { approvalsOf } from "./view-plan.ts";

export type RunTaskDeps = HeldPlans &
  Pick<PlansDeps, "store" | "decide" | "blobs" | "clock" | "findNode" | "tasks" | "identity">;

/**
 * `over`: nothing is left to do. `waits`: for its host, for its time, or for a person. `lost`: it was offered, and no word came.
 * Otherwise the host is at work, and is left alone for a while.
 */
export type TaskStep = "over" | "waits" | "lost" | HostAtWork;

export interface HostAtWork {
  readonly restMs: number;
  /** With another change: it has not begun this one. */
  readonly isBusy: boolean;
}

export interface TaskRun {
  readonly plan: string;
  readonly index: number;
  /** How often this process has offered it. */
  readonly offers: number;
  /** Its host was busy when it was offered, and did not begin it. */
  readonly wasBusy: boolean;
  /** Whether its host may have it now: its wave is open, and nothing halts the plan. Asked again just before it is sent. */
  readonly mayBegin: () => boolean;
  /** Called before the host can have heard of it. */
  readonly onOffer: () => void;
  /** Resolves when the server stops: then nobody waits for a host's word. */
  readonly closing: Promise<undefined>;
}

/** Does for one task what can be done now: sends it to its host and keeps the host's word, or says that it has ended. */
export function openTaskRunner(deps: RunTaskDeps): (run: TaskRun) => Promise<TaskStep> {
  const readMaterial = holdLast(plansLimits.heldDocuments, async (document) =>
    materialOf(await deps.documentOf(document)),
  );
  const containerOf = holdLast(plansLimits.heldApprovals, (name) => readWholeBlob(deps.blobs, name));

  // Whoever was shut out a moment ago would be shut out again when the task is marked as sent, and chosen anew for ever.
  const newest: Pick<Reads, "get"> = { get: (key) => deps.store.get(key, { newest: true }) };

  const choose = async (plan: PlanRecord, task: TaskRecord): Promise<ChosenApproval> => {
    // One that was sent stays under what it was sent under: its host may have begun.
    const approvals = task.state === "queued" ? await readCounted(newest, plan) : approvalsOf(plan);
    const hosts = await deps.hostsOf(plan);
    const host = hosts[task.index];
    const names = approvals.flatMap(({ container }) => container ?? []);
    return chooseApproval({
      approvals,
      containers: new Map(await Promise.all(names.map(async (name) => [name, await containerOf(name)] as const))),
      trust: host?.said,
      planDigest: plan.digest,
      sectionIndex: task.index,
      sectionCount: hosts.length,
      risks: host?.risks ?? [],
      now: deps.clock.now(),
      ...(task.state !== "queued" && { only: task.approval }),
      alsoEnded: task.state === "unknown",
    });
  };

  const offer = async (
    plan: PlanRecord,
    task: TaskRecord,
    chosen: Extract<ChosenApproval, { id: string }>,
    { closing, mayBegin, onOffer }: TaskRun,
  ): Promise<TaskStep | "shut out"> => {
    const bytes =
      chosen.kind === "signed" ? chosen.container : signOrder(await deps.identity(), task, plan.digest, chosen.word);
    const made = makeTask(deps.blobs, task, plan.digest, await readMaterial(plan.document), bytes);
    if (task.state === "queued" && !mayBegin()) return "waits";
    const marked = task.state === "queued" ? await markSent(deps, task, chosen) : "sent";
    if (marked !== "sent") return marked;
    onOffer();
    try {
      const word = await Promise.race([deps.tasks.offerTask(task.node, made.task, made.parts), closing]);
      if (word === undefined) return "waits";
      if (word.kind === "taken")
        return { restMs: chosen.rollbackWindow * 1_000 + plansLimits.outcomeMs, isBusy: false };
      // A host that still carries what it was offered before has not looked at this one.
      if (word.code === "slot.busy" || word.code === "read.rate") return { restMs: plansLimits.busyMs, isBusy: true };
      if (word.code === "local.unavailable") {
        // Its root part was asked and did not answer: it may have begun. The host is asked again until it says.
        await markUnknown(deps, task, plan);
        return { restMs: plansLimits.busyMs, isBusy: false };
      }
      // A host that may have begun has to say so itself: nothing is said to have been refused that was done.
      if (task.state === "unknown" && !isJudgement(word.code)) return "lost";
      await endTask(deps, task, plan, endOf(word));
      return "over";
    } catch (error) {
      if (!isFault(error, "plan.node_refused") && !isFault(error, "plan.node_offline")) throw error;
      await markUnknown(deps, task, plan);
      return "lost";
    }
  };

  const runTask = async (run: TaskRun): Promise<TaskStep> => {
    const { plan: planId, index, offers, wasBusy } = run;
    const plan = (await deps.store.get(planKind.key(planId)))?.value;
    const task = (await deps.store.get(taskKey(planId, index)))?.value;
    if (plan === undefined || task === undefined || isPlanEnd(plan.state) || isTaskOver(task)) return "over";
    if (task.state === "sent" && !wasBusy) {
      // Nobody waits for its word: the server was started again since, or the host should have told how it ended.
      await markUnknown(deps, task, plan);
      return "lost";
    }
    const end = async (why: Omit<TaskEnd, "state">, state: TaskEnd["state"] = "refused"): Promise<TaskStep> => {
      await endTask(deps, task, plan, { state, ...why });
      return "over";
    };
    const node = await deps.findNode(task.node);
    if (node === undefined || node.state === "revoked") {
      // A host that was offered it may have begun: nobody knows, and nobody will be told.
      const state = task.state === "unknown" ? "unknown" : "refused";
      return end({ code: "node.unknown", detail: "the node was revoked or removed" }, state);
    }
    if (task.state === "unknown") {
      if (deps.clock.now() > lastWordAt(plan, task)) return end(noWord, "unknown");
      if (offers >= plansLimits.offers) return "waits";
    }
    const chosen = await choose(plan, task);
    if (chosen.kind === "none") {
      return task.state === "unknown" ? "waits" : end({ code: chosen.code, detail: chosen.detail });
    }
    const { stopped } = (await readServerSettings(deps.store)).plans;
    const isOpen = task.state !== "queued" || run.mayBegin();
    const mayOffer = isOpen && plan.state === "running" && stopped === null && deps.tasks.canTakeTasks(task.node);
    if (chosen.kind === "early" || !mayOffer) return "waits";
    const step = await offer(plan, task, chosen, run);
    // Nobody would look again before something else happens.
    return step === "shut out" ? runTask(run) : step;
  };
  return runTask;
}

const noWord = { code: "time.expired", detail: "the host said nothing before the approval ended, nor soon after" };

/** Until when the end of a task may come that was sent under this approval: a host begins within its time, and has its window. */
export function lastWordOf({ notAfter, rollbackWindow }: PlanApproval): number {
  return notAfter + rollbackWindow * 1_000 + plansLimits.lateWordMs;
}

function lastWordAt(plan: PlanRecord, task: TaskRecord): number {
  return Math.max(
    0,
    ...approvalsOf(plan)
      .filter(({ id }) => id === task.approval)
      .map(lastWordOf),
  );
}

/**
 * Whether a host says by this code that it has not begun the task. It looks for the task in its journal before it judges anything of
 * it; what it answers before, or because it cannot read what it remembers, says nothing. Nor does that the approval was used.
 */
function isJudgement(code: FaultCode): boolean {
  return code !== "ceiling.off" && judged.has(code.slice(0, code.indexOf(".")));
}

const judged: ReadonlySet<string> = new Set([
  "apply",
  "artifact",
  "ceiling",
  "key",
  "order",
  "path",
  "plan",
  "signature",
  "state",
  "statement",
  "time",
  "trust",
]);

function endOf({ code, detail }: Extract<TaskWord, { kind: "refused" }>): TaskEnd {
  return { state: code === "state.stale" ? "stale" : "refused", code, detail };
}

import { isFault, isPlanEnd } from "@gatehouse/contract";
import { type PlanRecord, planKind, type TaskRecord } from "@gatehouse/contract/records";
import type { TaskWord } from "../fleet/index.ts";
import { readServerSettings } from "../settings/index.ts";
import { type ChosenApproval, chooseApproval } from "./choose-approval.ts";
import { readEvidence, readWholeBlob } from "./evidence.ts";
import { holdLast } from "./hold-last.ts";
import { plansLimits } from "./limits.ts";
import { makeTask, readMaterial, risksOf, signOrder } from "./make-task.ts";
import { endTask, markSent, markUnknown, type TaskEnd } from "./move-task.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { trustOfSection } from "./section-trust.ts";
import { isTaskOver, taskKey } from "./task-records.ts";

export type RunTaskDeps = Pick<PlansDeps, "store" | "decide" | "blobs" | "clock" | "findNode" | "tasks" | "identity">;

/** `over`: nothing is left to do. `waits`: for its host, for its time, or for a person. `lost`: it was offered, and no word came. */
export type TaskStep = "over" | "waits" | "lost";

export interface TaskRun {
  readonly plan: string;
  readonly index: number;
  /** How often this process has offered it. */
  readonly offers: number;
  /** Resolves when the server stops: then nobody waits for a host's word. */
  readonly closing: Promise<undefined>;
}

/** Does for one task what can be done now: sends it to its host and keeps the host's word, or says that it has ended. */
export function openTaskRunner(deps: RunTaskDeps): (run: TaskRun) => Promise<TaskStep> {
  const materialOf = holdLast(plansLimits.heldDocuments, (document) => readMaterial(deps.blobs, document));
  const containerOf = holdLast(plansLimits.heldApprovals, (name) => readWholeBlob(deps.blobs, name));

  const choose = async (plan: PlanRecord, task: TaskRecord): Promise<ChosenApproval> => {
    const approvals = plan.approvals ?? [];
    const [evidence] = await readEvidence(deps.blobs, plan.evidence, task.index, 1);
    const names = approvals.flatMap(({ container }) => container ?? []);
    const { sections } = await materialOf(plan.document);
    const section = sections[task.index];
    return chooseApproval({
      approvals,
      containers: new Map(await Promise.all(names.map(async (name) => [name, await containerOf(name)] as const))),
      trust: trustOfSection(evidence),
      planDigest: plan.digest,
      sectionIndex: task.index,
      sectionCount: sections.length,
      risks: section === undefined ? [] : risksOf(section),
      now: deps.clock.now(),
      ...(task.state === "unknown" && { only: task.approval }),
    });
  };

  const offer = async (
    plan: PlanRecord,
    task: TaskRecord,
    chosen: Extract<ChosenApproval, { id: string }>,
    closing: Promise<undefined>,
  ): Promise<TaskStep> => {
    const bytes =
      chosen.kind === "signed" ? chosen.container : signOrder(await deps.identity(), task, plan.digest, chosen.word);
    const made = makeTask(task, plan.digest, await materialOf(plan.document), bytes);
    if (task.state === "queued" && !(await markSent(deps, task, chosen.id))) return "waits";
    try {
      const word = await Promise.race([deps.tasks.offerTask(task.node, made.task, made.parts), closing]);
      if (word === undefined) return "waits";
      await endTask(deps, task, plan, endOf(word));
      return "over";
    } catch (error) {
      if (!isFault(error, "plan.node_refused") && !isFault(error, "plan.node_offline")) throw error;
      await markUnknown(deps, task, plan);
      return "lost";
    }
  };

  return async ({ plan: planId, index, offers, closing }) => {
    const plan = (await deps.store.get(planKind.key(planId)))?.value;
    const task = (await deps.store.get(taskKey(planId, index)))?.value;
    if (plan === undefined || task === undefined || isPlanEnd(plan.state) || isTaskOver(task)) return "over";
    if (task.state === "sent") {
      // Nobody waits for its word: the server was started again since.
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
    const chosen = await choose(plan, task);
    if (task.state === "unknown") {
      if (chosen.kind === "none") return end(noWord, "unknown");
      if (offers >= plansLimits.offers) return "waits";
    } else if (chosen.kind === "none") {
      return end({ code: chosen.code, detail: chosen.detail });
    }
    const { stopped } = (await readServerSettings(deps.store)).plans;
    const mayOffer = plan.state === "running" && stopped === null && deps.tasks.canTakeTasks(task.node);
    return chosen.kind === "early" || !mayOffer ? "waits" : offer(plan, task, chosen, closing);
  };
}

const noWord = { code: "time.expired", detail: "the host said nothing before the approval ended" };

function endOf({ code, detail }: TaskWord): TaskEnd {
  return { state: code === "state.stale" ? "stale" : "refused", code, detail };
}

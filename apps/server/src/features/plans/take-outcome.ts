import type { SignedOutcome } from "@gatehouse/channel";
import { taskMoves, type TaskState } from "@gatehouse/contract";
import { type PlanRecord, planKind, type TaskRecord } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import { listRecords, put, type Reads } from "@gatehouse/store/decide";
import { entryOf, type RequestFacts } from "../../platform/route/index.ts";
import { type Alongside, shown, type ToldOutcome } from "../fleet/index.ts";
import { plansLimits } from "./limits.ts";
import { usedIdOf } from "./make-task.ts";
import { subjectOfTask } from "./move-task.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { taskKey } from "./task-records.ts";
import { approvalOf, isUnderWay } from "./view-plan.ts";

export interface OutcomeDeps extends Pick<PlansDeps, "store" | "decide"> {
  /** The end of a task was kept. */
  readonly onEnd: (plan: string, node: string, state: TaskState) => void;
}

/** The task that an outcome ends, or why it ends none. */
type Judged =
  | { readonly task: StoredRecord<TaskRecord>; readonly plan: PlanRecord }
  | { readonly task?: undefined; readonly why: string };

const ofAnother: Judged = { why: "another node has signed it" };

/**
 * Takes what a host signed about the end of its task. It is held against the task as it was sent, so that an old word cannot end
 * a new task. One that ends nothing is only written into the log: the host has it from its journal, and would say it again.
 */
export function openOutcomes({ store, decide, onEnd }: OutcomeDeps) {
  const findPlans = openDigests(store);
  return async ({ from, outcome, signed }: ToldOutcome, request: RequestFacts, alongside: Alongside): Promise<void> => {
    const plans = from === outcome.nodeId ? await findPlans(outcome) : [];
    const turns = [from, ...plans.map((plan) => taskKey(plan, outcome.index).text)];
    const ended = await decide(turns, async (read) => {
      const own = await alongside(read);
      const judged = from === outcome.nodeId ? await judgeOutcome(read, plans, outcome) : ofAnother;
      const node = { actor: `node:${from}`, subject: subjectOfTask({ node: from }) };
      if (judged.task === undefined) {
        const detail = { ...wordOf(outcome), why: judged.why };
        return {
          entry: entryOf(request, { ...node, action: "task.outcome_ignored", detail }),
          changes: own,
          result: () => undefined,
        };
      }
      const { plan, task } = judged;
      const { code: _, detail: __, ...kept } = task.value;
      const said = saidBy(outcome);
      return {
        entry: entryOf(request, {
          ...node,
          action: "task.ended",
          detail: {
            plan: plan.id,
            digest: plan.digest,
            name: task.value.name,
            state: outcome.outcome,
            ...said,
            ...foreignOf(outcome),
            hostTime: outcome.at,
          },
        }),
        changes: [
          ...own,
          put(task, { ...kept, ...said, state: outcome.outcome, stateAt: request.now, outcome: signed }),
        ],
        result: () => plan.id,
      };
    });
    if (ended !== undefined) onEnd(ended, outcome.nodeId, outcome.outcome);
  };
}

/** Which plans under way have this digest: two that were made alike have the same. Asked again where none of them has the task. */
function openDigests(store: Pick<PlansDeps["store"], "get" | "list">) {
  const known = new Map<string, readonly string[]>();
  return async ({ planDigest, index, task }: SignedOutcome): Promise<readonly string[]> => {
    const digest = hexOf(planDigest);
    for (const plan of known.get(digest) ?? []) {
      if ((await store.get(taskKey(plan, index)))?.value.id === task) return [plan];
    }
    const all = await listRecords(store, planKind);
    const found = all.filter(({ value }) => value.digest === digest && isUnderWay(value)).map(({ value }) => value.id);
    known.delete(digest);
    if (found.length > 0) known.set(digest, found);
    for (const oldest of known.keys()) if (known.size > plansLimits.heldDigests) known.delete(oldest);
    return found;
  };
}

async function judgeOutcome(read: Reads, plans: readonly string[], outcome: SignedOutcome): Promise<Judged> {
  let why = "no plan of this digest is under way";
  for (const id of plans) {
    const plan = (await read.get(planKind.key(id)))?.value;
    const task = await read.get(taskKey(id, outcome.index));
    if (plan === undefined || task === undefined || !isUnderWay(plan)) continue;
    const flaw = findMismatch(plan, task.value, outcome);
    if (flaw === undefined) return { plan, task };
    why = flaw;
  }
  return { why };
}

function findMismatch(plan: PlanRecord, task: TaskRecord, outcome: SignedOutcome): string | undefined {
  if (task.id !== outcome.task || task.node !== outcome.nodeId) return "it is about another task";
  const approval = approvalOf(plan, task);
  if (approval === undefined) return "the task was not sent";
  if (usedIdOf(task, approval) !== hexOf(outcome.approvalId)) {
    return "it is under another approval than the one that the task was sent under";
  }
  return taskMoves[task.state].includes(outcome.outcome) ? undefined : `the task has ended as ${task.state}`;
}

function saidBy({ detail: { code, detail } }: SignedOutcome): { readonly code?: string; readonly detail?: string } {
  return { ...(code !== "" && { code: shown(code) }), ...(detail !== "" && { detail: shown(detail) }) };
}

/** An entry of the log is small; the signed message has them all. */
function foreignOf({ detail: { foreign } }: SignedOutcome): { readonly foreign?: readonly string[] } {
  return foreign.length === 0 ? {} : { foreign: foreign.slice(0, plansLimits.namedParts).map(shown) };
}

function wordOf({ task, planDigest, approvalId, outcome: state, at }: SignedOutcome) {
  return {
    task: shown(task.slice(0, 64)),
    digest: hexOf(planDigest),
    approval: hexOf(approvalId),
    state,
    hostTime: at,
  };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

import type { OutcomeDetail, SignedOutcome } from "@gatehouse/channel";
import type { HostEnd } from "@gatehouse/contract";
import type { PlanTask } from "@gatehouse/contract/routes";
import { hosts, samplePlan } from "./sample-plan.ts";

/** The task of one host of the sample plan. */
export function sampleTask(index: number, change: Partial<PlanTask> = {}): PlanTask {
  const { id: node = "", name = "" } = hosts[index] ?? {};
  const { plan } = samplePlan();
  const stateAt = "2026-11-17T05:00:00.000Z";
  const task = { id: `task_${index}`, plan: plan.id, index, node, name, wave: 0, stateAt, approval: null };
  return { ...task, state: "queued", code: null, detail: null, outcome: null, told: [], step: null, ...change };
}

interface Ended {
  readonly detail?: Partial<OutcomeDetail>;
  /** What the host signs instead of what is right. */
  readonly wrong?: Partial<SignedOutcome>;
  /** Another host that signs it, by its place. */
  readonly by?: number;
}

/** The task of one host that has ended, with the host's signature under its end. */
export function endedTask(index: number, state: HostEnd, { detail = {}, wrong = {}, by = index }: Ended = {}) {
  const said = { code: "", detail: "", foreign: [], ...detail };
  const approval = "0a".repeat(16);
  const task = sampleTask(index, { state, approval, code: said.code || null, detail: said.detail || null });
  const told = {
    task: task.id,
    approvalId: Buffer.from(approval, "hex"),
    planDigest: Buffer.from(samplePlan().plan.digest, "hex"),
    index,
    outcome: state,
    at: Date.parse("2026-11-17T05:00:00.000Z"),
    journalSeq: 9,
    journalLink: new Uint8Array(32),
    detail: said,
  };
  return { ...task, outcome: hosts[by]?.signOutcome(told, wrong) ?? null };
}

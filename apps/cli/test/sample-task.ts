import type { PlanTask } from "@gatehouse/contract/routes";
import { hosts, samplePlan } from "./sample-plan.ts";

/** The task of one host of the sample plan. */
export function sampleTask(index: number, change: Partial<PlanTask> = {}): PlanTask {
  const { id: node = "", name = "" } = hosts[index] ?? {};
  const { plan } = samplePlan();
  const stateAt = "2026-11-17T05:00:00.000Z";
  const task = { id: `task_${index}`, plan: plan.id, index, node, name, stateAt, approval: null };
  return { ...task, state: "queued", code: null, detail: null, outcome: null, step: null, ...change };
}

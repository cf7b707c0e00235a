import type { Json } from "@gatehouse/base";
import type { PlanNode } from "@gatehouse/contract/broker";
import type { ActionReport } from "@gatehouse/contract/routes";
import type { PlanDraft, PlanSource } from "@gatehouse/plan";
import { type AskDeps, type Asker, putQuestion } from "./ask-plugin.ts";

export interface PlanRequest {
  /** Of the plugin. */
  readonly id: string;
  readonly input: Json;
  /** In any order; a plan is drawn up for these and for no other. */
  readonly nodes: readonly PlanNode[];
}

export interface AskedPlan {
  readonly draft: PlanDraft;
  /** Names the artifact and the whole question, so that anybody can draw the plan up again. */
  readonly source: Extract<PlanSource, { from: "plugin" }>;
  readonly report: ActionReport;
}

/** Asks a plugin for a plan, as any other question: recorded before it runs, judged, counted by its breaker. Nothing is stored. */
export async function askPlan(deps: AskDeps, asker: Asker, { id, input, nodes }: PlanRequest): Promise<AskedPlan> {
  const { report, draft } = await putQuestion(deps, asker, { id, action: "plan", input, nodes });
  if (draft === undefined || report.plan === null) throw new Error(`${id} answered a plan without a draft`);
  const { version, artifactSha256 } = report;
  const source = { from: "plugin", plugin: id, version, artifactSha256, inputSha256: report.plan.inputSha256 } as const;
  return { draft, source, report };
}

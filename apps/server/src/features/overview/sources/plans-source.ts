import type { Plan } from "@gatehouse/contract/routes";
import type { Principal } from "../../../platform/route/index.ts";
import { overviewLimits } from "../limits.ts";
import { cutFindings, type OverviewSource, type SaidItem } from "../overview-source.ts";

/** Plans by how they stand, the newest first. */
export interface SurveyedPlans {
  /** In review, and the asker could approve them and has not. */
  readonly waiting: readonly Plan[];
  readonly running: readonly Plan[];
  readonly halted: readonly Plan[];
  readonly approved: readonly Plan[];
  /** Ended not long ago. */
  readonly ended: readonly Plan[];
}

export interface PlansSourceDeps {
  readonly surveyPlans: (
    principal: Principal,
    asked: { readonly now: number; readonly endedAfter: number },
  ) => Promise<SurveyedPlans>;
}

export function plansSource({ surveyPlans }: PlansSourceDeps): OverviewSource {
  return {
    about: "plans",
    kinds: ["plan_failed", "plan_rolled_back", "review", "running", "halted", "approved"],
    read: async ({ principal, now }) => {
      const plans = await surveyPlans(principal, { now, endedAfter: now - overviewLimits.failedMs });
      const isFailed = ({ ended }: Plan) => countOf(ended?.failed_after_change) > 0;
      const isBack = (plan: Plan) =>
        !isFailed(plan) &&
        countOf(plan.ended?.rolled_back) > 0 &&
        now - Date.parse(plan.stateAt) < overviewLimits.rolledBackMs;
      return [
        cutFindings("plan_failed", plans.ended.filter(isFailed), sayFailed),
        cutFindings("plan_rolled_back", plans.ended.filter(isBack), sayBack),
        cutFindings("review", plans.waiting, sayReview),
        cutFindings("running", plans.running, sayRunning),
        cutFindings("halted", plans.halted, sayHalted),
        cutFindings("approved", plans.approved, sayApproved),
      ];
    },
  };
}

function countOf(count: number | undefined): number {
  return count ?? 0;
}

function sayPlan({ id, title, stateAt }: Plan, line: string): SaidItem {
  return { subject: { type: "plan", id, name: title }, title, line, since: Date.parse(stateAt) };
}

function sayFailed(plan: Plan) {
  const count = countOf(plan.ended?.failed_after_change);
  return sayPlan(plan, `${hostsAre(count)} neither as before nor as planned: look there now.`);
}

function sayBack(plan: Plan) {
  return sayPlan(plan, `${hostsAre(countOf(plan.ended?.rolled_back))} as before: the change was taken back.`);
}

function sayReview(plan: Plan) {
  const by = plan.approvals.length === 0 ? "approved by nobody yet" : "approved in part";
  const until = Date.parse(plan.expiresAt);
  return { ...sayPlan(plan, `A plan for ${hosts(plan.nodes)}, ${by}. Approve it or reject it.`), until };
}

function sayRunning(plan: Plan) {
  const waves = plan.waves === null || plan.waves < 2 ? "" : `, in ${plan.waves} waves`;
  return sayPlan(plan, `It changes ${hosts(plan.nodes)} now${waves}.`);
}

function sayHalted(plan: Plan) {
  return sayPlan(plan, `Halted on its way to ${hosts(plan.nodes)}. Somebody goes on with it, or it stays so.`);
}

function sayApproved(plan: Plan) {
  const until = Date.parse(plan.expiresAt);
  return { ...sayPlan(plan, `Approved for ${hosts(plan.nodes)}. It changes nothing until somebody starts it.`), until };
}

function hosts(count: number): string {
  return count === 1 ? "1 host" : `${count.toLocaleString("en-GB")} hosts`;
}

function hostsAre(count: number): string {
  return `${hosts(count)} ${count === 1 ? "is" : "are"}`;
}

import { reviewPlanRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { planArgument } from "../plans/find-plan.ts";
import { moveAbout, moveNamedPlan } from "../plans/move-plan.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const planReview = defineCommand({
  name: "plan review",
  summary: "offer a plan for review",
  about: [
    `Puts a plan that was made with --no-review before people who can approve or reject it. One that the lint refuses cannot be offered (plan.lint_refused): make another in its place. A token of the class assistant cannot offer plans. It needs the scope plan:create, and plan:read to find the plan. ${moveAbout}`,
    connectionAbout,
  ],
  examples: [{ why: "Offer a plan", run: "gatehouse plan review 5d7skrbj" }],
  arguments: { plan: planArgument },
  flags: {},
  run: async (given, surroundings) => {
    const connection = await openConnection(surroundings);
    const plan = await moveNamedPlan(connection, { route: reviewPlanRoute, named: given.plan });
    return { ok: true, lines: [`${plan.title} (${plan.id}) is ${plan.state}.`], json: { plan: asJson(plan) } };
  },
});

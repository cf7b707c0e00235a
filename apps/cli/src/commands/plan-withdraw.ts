import { withdrawPlanRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { planArgument } from "../plans/find-plan.ts";
import { moveAbout, moveNamedPlan } from "../plans/move-plan.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const planWithdraw = defineCommand({
  name: "plan withdraw",
  summary: "take back a plan of one's own",
  about: [
    `Ends a plan that you made and that was not begun; it stays in sight as rejected. Somebody else's plan is rejected instead, with gatehouse plan reject PLAN --reason TEXT. It needs the scope plan:create, and plan:read to find the plan. ${moveAbout}`,
    connectionAbout,
  ],
  examples: [
    { why: "Take it back", run: "gatehouse plan withdraw 5d7skrbj" },
    { why: "And say why", run: 'gatehouse plan withdraw 5d7skrbj --reason "The wrong hosts"' },
  ],
  arguments: { plan: planArgument },
  flags: { reason: { value: "TEXT", about: "Why, for whoever has read it." } },
  run: async ({ plan: named, reason }, surroundings) => {
    const connection = await openConnection(surroundings);
    const plan = await moveNamedPlan(connection, { route: withdrawPlanRoute, named, body: { reason } });
    return { ok: true, lines: [`${plan.title} (${plan.id}) is withdrawn.`], json: { plan: asJson(plan) } };
  },
});

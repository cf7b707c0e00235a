import { rejectPlanRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { planArgument } from "../plans/find-plan.ts";
import { moveAbout, moveNamedPlan } from "../plans/move-plan.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const planReject = defineCommand({
  name: "plan reject",
  summary: "reject a plan, with a reason",
  about: [
    `Ends a plan that is in review or approved; nothing of it can be begun any more. Its author and everybody who reads it sees the reason. It needs the scope plan:approve, and plan:read to find the plan. ${moveAbout}`,
    connectionAbout,
  ],
  examples: [
    { why: "Say no, and why", run: 'gatehouse plan reject 5d7skrbj --reason "It closes the port of the backups"' },
  ],
  arguments: { plan: planArgument },
  flags: { reason: { value: "TEXT", about: "Why: its author reads it.", required: true } },
  run: async ({ plan: named, reason }, surroundings) => {
    const connection = await openConnection(surroundings);
    const plan = await moveNamedPlan(connection, { route: rejectPlanRoute, named, body: { reason } });
    return { ok: true, lines: [`${plan.title} (${plan.id}) is rejected.`], json: { plan: asJson(plan) } };
  },
});

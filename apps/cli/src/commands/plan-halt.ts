import { haltPlanRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { getNamedPlan, planArgument } from "../plans/find-plan.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const planHalt = defineCommand({
  name: "plan halt",
  summary: "begin nothing more of one plan",
  about: [
    "Hosts that have begun end it by themselves, and those that have none yet get none; other plans go on. Nobody is asked for a password. gatehouse plan apply goes on with it, under the approvals that it has. It needs the scopes plan:stop and plan:read.",
    connectionAbout,
  ],
  examples: [{ why: "Look before the next wave", run: 'gatehouse plan halt 5d7skrbj --reason "web-3 answers slowly"' }],
  arguments: { plan: planArgument },
  flags: { reason: { value: "TEXT", about: "Why: everybody reads it.", required: true } },
  run: async ({ plan: named, reason }, surroundings) => {
    const connection = await openConnection(surroundings);
    const { plan } = await getNamedPlan(connection, named);
    const { data } = await connection.call(haltPlanRoute, { params: { id: plan.id }, body: { reason } });
    return {
      ok: true,
      lines: [`${data.title} (${data.id}) is ${data.state}: ${data.reason ?? reason}`],
      json: { plan: asJson(data) },
    };
  },
});

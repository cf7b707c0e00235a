import { defineCommand } from "../command.ts";
import { getNamedPlan, planArgument } from "../plans/find-plan.ts";
import { followRead, provedAbout } from "../plans/follow-plan.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const planWatch = defineCommand({
  name: "plan watch",
  summary: "follow what becomes of a plan on each of its hosts",
  about: [
    "Prints where every task of the plan stands, and then a line for each step and each end, until the plan has ended or was halted; Ctrl-C ends only the watching. A plan that nobody has started is waited for. Times are UTC. While the server does not answer it says so and goes on. It needs the scope plan:read.",
    provedAbout,
    "With --json the first line holds the plan, and each line after it one change with its task and verdict (host, unproven or server); the last one has ok.",
    connectionAbout,
  ],
  examples: [
    { why: "Look on while hosts answer", run: "gatehouse plan watch 5d7skrbj" },
    { why: "Wait for the end in a script", run: "gatehouse plan watch 5d7skrbj --json" },
  ],
  arguments: { plan: planArgument },
  flags: {},
  run: async ({ plan: named }, surroundings) => {
    const connection = await openConnection(surroundings);
    const { plan } = await getNamedPlan(connection, named);
    return {
      ok: true,
      lines: [`${plan.title} (${plan.id}): ${plan.state}; Ctrl-C ends the watching`],
      json: { plan: asJson(plan) },
      later: followRead(connection, plan),
    };
  },
});

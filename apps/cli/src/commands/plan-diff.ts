import { defineCommand } from "../command.ts";
import { getNamedPlan, planArgument } from "../plans/find-plan.ts";
import { checkedAbout, parseLimit, sectionFlags, showPlan } from "../plans/show-plan.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";

const topic = "plan diff";

export const planDiff = defineCommand({
  name: topic,
  summary: "show what a plan changes on each host, line by line",
  about: [
    "Shows for every operation what is there now and what would be there afterwards: a line with + is added, one with - goes, the others stay. The exit code is 1 while the plan is a draft: the lint refuses it. It needs the scope plan:read.",
    checkedAbout,
    connectionAbout,
  ],
  examples: [
    { why: "On every host", run: "gatehouse plan diff 5d7skrbj" },
    { why: "On one of them", run: "gatehouse plan diff 5d7skrbj --node web-1" },
  ],
  arguments: { plan: planArgument },
  flags: sectionFlags,
  run: async ({ plan: named, node, limit }, surroundings) => {
    const most = parseLimit(limit, topic);
    const connection = await openConnection(surroundings);
    const { plan } = await getNamedPlan(connection, named);
    return showPlan(connection, plan, { as: "diff", node, most });
  },
});

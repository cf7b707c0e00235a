import { defineCommand } from "../command.ts";
import { getNamedPlan, planArgument } from "../plans/find-plan.ts";
import { checkedAbout, parseLimit, sectionFlags, showPlan } from "../plans/show-plan.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";

const topic = "plan show";

export const planShow = defineCommand({
  name: topic,
  summary: "show one plan: what it does on each host, and what the lint found",
  about: [
    "Shows what became of a plan, its digest, who made it and until when it can be approved, which hosts were skipped, and for every node what is done there, refusals first. Times are UTC. The exit code is 1 while the plan is a draft: the lint refuses it. It needs the scope plan:read.",
    "Of a plan that was started it also says where each host stands. Its end is the host's own word where the host's signature, which is checked here, says so; what the server claims without one is UNPROVEN, and the exit code is 1.",
    checkedAbout,
    "With --programs it prints below each operation what a host of this version does for it, as gatehouse-agent helper explain prints it there; TASK stands for the id of the task.",
    connectionAbout,
  ],
  examples: [
    { why: "By its last digits", run: "gatehouse plan show 5d7skrbj" },
    { why: "What it does on one host", run: "gatehouse plan show 5d7skrbj --node web-1" },
    { why: "Every program that would be started there", run: "gatehouse plan show 5d7skrbj --node web-1 --programs" },
    { why: "Take all of it in a script", run: "gatehouse plan show 5d7skrbj --limit 10000 --json" },
  ],
  arguments: { plan: planArgument },
  flags: {
    ...sectionFlags,
    programs: { about: "Show also what each host writes and every program that it starts, word by word." },
  },
  run: async ({ plan: named, node, limit, programs }, surroundings) => {
    const most = parseLimit(limit, topic);
    const connection = await openConnection(surroundings);
    const { plan } = await getNamedPlan(connection, named);
    return showPlan(connection, plan, { as: programs ? "programs" : "words", node, most });
  },
});

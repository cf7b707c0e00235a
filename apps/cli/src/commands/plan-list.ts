import { count, shortTime, table } from "@gatehouse/command-line";
import { planStates } from "@gatehouse/contract";
import { type Plan, plansRoute, plansStopRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { lastDigits } from "../nodes/say-node.ts";
import { sayFindings } from "../plans/describe-plan.ts";
import { plansPage } from "../plans/find-plan.ts";
import { sayStop } from "../plans/say-stop.ts";
import { parseLimit } from "../plans/show-plan.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";

const topic = "plan list";
const unsaid = 50;
const most = 10_000;

export const planList = defineCommand({
  name: topic,
  summary: "list plans and what became of them",
  about: [
    "Shows plans, the newest first: what became of each, for how many nodes it is, what the lint found, whose it is and until when it can be approved (UTC). If all plans are stopped, it says so. The digits are the last of the id, and name the plan in other commands. It needs the scope plan:read.",
    "What is listed is what the server says; gatehouse plan show PLAN holds a plan against its digest.",
    connectionAbout,
  ],
  examples: [
    { why: "See the newest", run: "gatehouse plan list" },
    { why: "See what waits for somebody to look at it", run: "gatehouse plan list --state in_review" },
    { why: "Take it in a script", run: "gatehouse plan list --limit 200 --json" },
  ],
  flags: {
    state: { value: "STATE", about: "Only plans in this state.", choices: planStates },
    limit: { value: "N", about: `How many at most. Without it, ${unsaid}.` },
  },
  run: async ({ state, limit }, surroundings) => {
    const wanted = parseLimit(limit, topic, most) ?? unsaid;
    const connection = await openConnection(surroundings);
    const options = { most: wanted, pageSize: plansPage, query: { state } };
    const { items, more } = await listAll(connection, plansRoute, options);
    const { data } = await connection.call(plansStopRoute);
    const head = ["digits", "state", "title", "nodes", "findings", "author", "expires"];
    return {
      ok: true,
      lines: [
        `${count(items.length, "plan")} at ${connection.server.origin}${more ? "; there are more" : ""}`,
        ...(data.stopped === null ? [] : [`  ${sayStop(data.stopped)}`]),
        ...(items.length === 0 ? [] : table(head, items.map(rowOf))),
      ],
      json: { items: items.map(asJson), more, stopped: data.stopped },
    };
  },
});

function rowOf({ id, state, title, nodes, findings, author, expiresAt }: Plan): string[] {
  return [lastDigits(id), state, title, String(nodes), sayFindings(findings), author, shortTime(expiresAt)];
}

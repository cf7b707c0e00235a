import { randomUUID } from "node:crypto";
import { undoPlanRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { getNodeIds } from "../nodes/find-node.ts";
import { getPlanId, planArgument } from "../plans/find-plan.ts";
import { makingLimitMs, readTerms, showMadePlan, termFlags } from "../plans/made-plan.ts";
import { checkedAbout } from "../plans/show-plan.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";

const topic = "plan undo";

export const planUndo = defineCommand({
  name: topic,
  summary: "make the plan that takes an applied one back",
  about: [
    "Draws up what puts back what the hosts had before the plan, from what they signed when it was made, and asks them what they are like now. It is a plan like every other: no host is changed until it is approved and applied. It is for the hosts that have kept the change, all of them unless --node is written.",
    "Parts come back in reverse order, and services are restarted afterwards. There is no way back to where nothing was, to a text that no plan wrote, to a program that is no artifact here, or from an update of the agent: then no plan is made, and each host is named with the reason (plan.not_undoable).",
    checkedAbout,
    "It needs the scopes plan:create and plan:read, and node:read for nodes that are named otherwise than by their ids.",
    connectionAbout,
  ],
  examples: [
    { why: "Take it back wherever it was applied", run: "gatehouse plan undo 5d7skrbj" },
    { why: "On one host", run: "gatehouse plan undo 5d7skrbj --node web-1" },
  ],
  arguments: { plan: planArgument },
  flags: {
    node: { value: "NODE", about: "A host of the plan: id, last digits or name; several by repeating it.", list: true },
    ...termFlags,
  },
  run: async (given, surroundings) => {
    const terms = readTerms(given, topic);
    const connection = await openConnection(surroundings);
    const { node: names } = given;
    const { data: plan } = await connection.call(undoPlanRoute, {
      params: { id: await getPlanId(connection, given.plan) },
      // If a proxy sends it twice, one plan is made.
      headers: { "Idempotency-Key": randomUUID() },
      body: { ...terms, nodes: names === undefined ? undefined : [...new Set(await getNodeIds(connection, names))] },
      limitMs: makingLimitMs,
    });
    return showMadePlan(connection, plan);
  },
});

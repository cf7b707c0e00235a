import { randomUUID } from "node:crypto";
import { nodeDriftRoute, planDriftRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { driftLines } from "../nodes/describe-drift.ts";
import { getNamedNode, nodeArgument } from "../nodes/find-node.ts";
import { makingLimitMs, showMadePlan } from "../plans/made-plan.ts";
import { checkedAbout } from "../plans/show-plan.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const nodeDriftCommand = defineCommand({
  name: "node drift",
  summary: "show what differs on a node from what was confirmed there, and plan it back",
  about: [
    "Shows the parts of a host that somebody has changed since the last plan that was confirmed on them: what was expected and what was found, as digests that its helper has signed. A host looks each hour and whenever it connects. A part that cannot be read now is said to be so, and never to be unchanged. Times are UTC. It needs the scope node:read.",
    "With --plan it makes the plan that gives the host back what was confirmed, with the operations of the plans that were confirmed and what the host says now. It is a plan like every other: nothing is changed until it is approved and applied. Where a plan is kept no more (90 days after its end), or for the agent itself, none is made (plan.drift_refused).",
    checkedAbout,
    "For --plan it needs the scopes plan:create and plan:read as well.",
    connectionAbout,
  ],
  examples: [
    { why: "See what differs", run: "gatehouse node drift web-1" },
    { why: "Plan all of it back", run: "gatehouse node drift web-1 --plan" },
    { why: "Plan one part back", run: "gatehouse node drift web-1 --plan --part file:/etc/motd" },
  ],
  arguments: { node: nodeArgument },
  flags: {
    plan: { about: "Make the plan that gives the host back what was confirmed." },
    part: { value: "PART", about: "Only this part, as it is shown; several by repeating it.", list: true },
  },
  run: async (given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { node } = await getNamedNode(connection, given.node);
    const params = { id: node.id };
    if (given.plan !== true) {
      const { data } = await connection.call(nodeDriftRoute, { params });
      return { ok: true, lines: driftLines(node.name, data), json: { drift: asJson(data) } };
    }
    const { data: plan } = await connection.call(planDriftRoute, {
      params,
      // If a proxy sends it twice, one plan is made.
      headers: { "Idempotency-Key": randomUUID() },
      body: given.part === undefined ? {} : { subjects: [...given.part] },
      limitMs: makingLimitMs,
    });
    return showMadePlan(connection, plan);
  },
});

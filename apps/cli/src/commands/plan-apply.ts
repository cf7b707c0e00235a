import { applyPlanRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { getNamedPlan, planArgument } from "../plans/find-plan.ts";
import { followRead, provedAbout } from "../plans/follow-plan.ts";
import { moveAbout } from "../plans/move-plan.ts";
import { callWithProof, connectionAbout, openConnection, proofAbout } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";

export const planApply = defineCommand({
  name: "plan apply",
  summary: "start an approved plan, or go on with one that was halted",
  about: [
    "Every host gets its section with the approvals, and judges both by itself. Then a line is printed for each change until the plan has ended or was halted; Ctrl-C ends only the watching, and the plan goes on: see gatehouse plan watch. A host makes the change under a timer that takes it back.",
    provedAbout,
    `It needs the scopes plan:apply and plan:read. ${moveAbout} ${proofAbout}`,
    connectionAbout,
  ],
  examples: [{ why: "Start it and look on", run: "gatehouse plan apply 5d7skrbj" }],
  arguments: { plan: planArgument },
  flags: passwordFlags,
  run: async (given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { plan, etag } = await getNamedPlan(connection, given.plan);
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 1);
    const { data } = await callWithProof({ connection, passwords }, applyPlanRoute, {
      params: { id: plan.id },
      headers: { "If-Match": etag },
    });
    return {
      ok: true,
      lines: [`${data.title} (${data.id}) is ${data.state}; Ctrl-C ends the watching, the plan goes on`],
      json: { plan: asJson(data) },
      later: followRead(connection, data),
    };
  },
});

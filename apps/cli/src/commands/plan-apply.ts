import { applyPlanRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { getNamedPlan, planArgument } from "../plans/find-plan.ts";
import { followRead, provedAbout } from "../plans/follow-plan.ts";
import { moveAbout } from "../plans/move-plan.ts";
import { parseWaves, waveFlags } from "../plans/wave-flags.ts";
import { callWithProof, connectionAbout, openConnection, proofAbout } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";

const topic = "plan apply";

export const planApply = defineCommand({
  name: topic,
  summary: "start an approved plan, or go on with one that was halted",
  about: [
    "Every host gets its section with the approvals, and judges both by itself. Then a line is printed for each change until the plan has ended or was halted; Ctrl-C ends only the watching, and the plan goes on: see gatehouse plan watch. A host makes the change under a timer that takes it back.",
    "Without an option all hosts get it at once. In waves, a wave begins when every host of those before it has signed that it has the change; a host that is away and was sent nothing holds nobody up for longer than 90 s. When hosts have not kept it, the plan halts: nothing more is begun anywhere, and gatehouse plan apply goes on with it. The waves of a plan are chosen when it is started, and stay.",
    provedAbout,
    `It needs the scopes plan:apply and plan:read. ${moveAbout} ${proofAbout}`,
    connectionAbout,
  ],
  examples: [
    { why: "Start it and look on", run: "gatehouse plan apply 5d7skrbj" },
    {
      why: "One host first, then all that are tagged staging, then the rest, 50 at a time",
      run: "gatehouse plan apply 5d7skrbj --canary 1 --wave staging --wave-size 50",
    },
    {
      why: "Halt when a tenth of a wave has not kept it",
      run: "gatehouse plan apply 5d7skrbj --wave-size 50 --halt-at 10",
    },
  ],
  arguments: { plan: planArgument },
  flags: { ...waveFlags, ...passwordFlags },
  run: async (given, surroundings) => {
    const body = parseWaves(given, topic);
    const connection = await openConnection(surroundings);
    const { plan, etag } = await getNamedPlan(connection, given.plan);
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 1);
    const { data } = await callWithProof({ connection, passwords }, applyPlanRoute, {
      params: { id: plan.id },
      headers: { "If-Match": etag },
      body,
    });
    return {
      ok: true,
      lines: [`${data.title} (${data.id}) is ${data.state}; Ctrl-C ends the watching, the plan goes on`],
      json: { plan: asJson(data) },
      later: followRead(connection, data),
    };
  },
});

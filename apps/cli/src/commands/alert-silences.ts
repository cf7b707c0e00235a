import { count, shortTime, table } from "@gatehouse/command-line";
import { alertSilencesRoute } from "@gatehouse/contract/routes";
import { sayNodes } from "../alerts/nodes-flags.ts";
import { defineCommand } from "../command.ts";
import { lastDigits } from "../nodes/say-node.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const alertSilences = defineCommand({
  name: "alert silences",
  summary: "list silences that have not ended",
  about: [
    "Shows of which alerts nobody is told, until when (UTC), who said so and why. It needs the scope node:read.",
    connectionAbout,
  ],
  examples: [{ why: "See what is silenced", run: "gatehouse alert silences" }],
  flags: {},
  run: async (_, surroundings) => {
    const connection = await openConnection(surroundings);
    const { items } = (await connection.call(alertSilencesRoute)).data;
    const rows = items.map(({ id, appliesTo, rule, until, by, reason }) => [
      lastDigits(id),
      sayNodes(appliesTo),
      rule ?? "every rule",
      shortTime(until),
      by,
      reason,
    ]);
    return {
      ok: true,
      lines: [
        `${count(items.length, "silence")} at ${connection.server.origin}`,
        ...(rows.length === 0 ? [] : table(["digits", "of", "rule", "until", "by", "reason"], rows)),
      ],
      json: { items: items.map(asJson) },
    };
  },
});

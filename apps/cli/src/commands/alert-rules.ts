import { count, table } from "@gatehouse/command-line";
import { alertRulesRoute } from "@gatehouse/contract/routes";
import { sayNodes } from "../alerts/nodes-flags.ts";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const alertRulesCommand = defineCommand({
  name: "alert rules",
  summary: "list alert rules",
  about: [
    "Shows what opens an alert, on which nodes, and how many alerts of each rule are open. The first four are always there; they can be changed and switched off. It needs the scope node:read.",
    connectionAbout,
  ],
  examples: [{ why: "See what is watched for", run: "gatehouse alert rules" }],
  flags: {},
  run: async (_, surroundings) => {
    const connection = await openConnection(surroundings);
    const { items } = (await connection.call(alertRulesRoute)).data;
    const rows = items.map(({ id, name, condition, appliesTo, enabled, open }) => [
      id,
      name,
      condition,
      sayNodes(appliesTo),
      enabled ? "on" : "off",
      String(open),
    ]);
    return {
      ok: true,
      lines: [
        `${count(items.length, "alert rule")} at ${connection.server.origin}`,
        ...table(["id", "name", "condition", "of", "is", "open"], rows),
      ],
      json: { items: items.map(asJson) },
    };
  },
});

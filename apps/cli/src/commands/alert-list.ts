import { count, table } from "@gatehouse/command-line";
import { alertRulesRoute, alertsRoute } from "@gatehouse/contract/routes";
import { alertsAtMost } from "../alerts/find-alert.ts";
import { alertHead, alertRow } from "../alerts/say-alert.ts";
import { defineCommand } from "../command.ts";
import { getNodeIds } from "../nodes/find-node.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";

export const alertList = defineCommand({
  name: "alert list",
  summary: "list open alerts",
  about: [
    "Shows every open alert of nodes that you may see, the oldest first: the newest value, the rule, since when (UTC), and whether somebody looks after it or has silenced it. An alert that has ended is in the audit log. It needs the scope node:read.",
    connectionAbout,
  ],
  examples: [
    { why: "See what is wrong", run: "gatehouse alert list" },
    { why: "See what is wrong with one node", run: "gatehouse alert list --node web-1" },
  ],
  flags: { node: { value: "NODE", about: "Only alerts of this node, by id, digits or name." } },
  run: async ({ node }, surroundings) => {
    const connection = await openConnection(surroundings);
    const [id] = node === undefined ? [] : await getNodeIds(connection, [node]);
    const { items, more } = await listAll(connection, alertsRoute, { ...alertsAtMost, query: { node: id } });
    const rules = new Map((await connection.call(alertRulesRoute)).data.items.map((rule) => [rule.id, rule]));
    // So many are open only where something is wrong with a rule, and then the server has left some out.
    const isFull = items.length >= alertsAtMost.most;
    const unkept = isFull ? ((await connection.call(alertsRoute, { query: { limit: "1" } })).data.unkept ?? 0) : 0;
    const now = Date.now();
    const rows = items.map((alert) => alertRow(alert, rules, now));
    return {
      ok: true,
      lines: [
        `${count(items.length, "open alert")} at ${connection.server.origin}${more ? "; there are more" : ""}${unkept > 0 ? `; ${unkept} more are not kept` : ""}`,
        ...(rows.length === 0 ? [] : table([...alertHead], rows)),
      ],
      json: { items: items.map(asJson), more, unkept },
    };
  },
});

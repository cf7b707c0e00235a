import { acknowledgeAlertRoute } from "@gatehouse/contract/routes";
import { alertArgument, getAlertId } from "../alerts/find-alert.ts";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const alertAck = defineCommand({
  name: "alert ack",
  summary: "say that you look after an alert",
  about: [
    "Puts your name to an open alert, for others to see; it goes with the alert. The first who did so stays. It ends nothing and silences nothing. It needs the scope node:admin.",
    connectionAbout,
  ],
  examples: [{ why: "Tell the others", run: 'gatehouse alert ack 8k2m4p6q --note "the disk is on its way"' }],
  arguments: { alert: alertArgument },
  flags: { note: { value: "TEXT", about: "What the others should know, up to 500 characters." } },
  run: async ({ alert: named, note }, surroundings) => {
    const connection = await openConnection(surroundings);
    const id = await getAlertId(connection, named);
    const { data } = await connection.call(acknowledgeAlertRoute, { params: { id }, body: { note } });
    const by = data.acknowledged?.name ?? data.acknowledged?.by ?? "nobody";
    return {
      ok: true,
      lines: [`${data.condition}, on ${data.nodeName}: acknowledged by ${by}.`],
      json: { alert: asJson(data) },
    };
  },
});

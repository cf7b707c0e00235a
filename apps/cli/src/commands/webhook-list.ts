import { count, shortTime, table } from "@gatehouse/command-line";
import { webhooksRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { webhookState } from "../webhooks/webhook-words.ts";

export const webhookList = defineCommand({
  name: "webhook list",
  summary: "list webhooks and how each is doing",
  about: [
    "Shows where notices are sent, of which events, and whether they are taken. Of an address only the part before its path is shown, because the path may be a secret. It needs the scope settings:admin.",
    connectionAbout,
  ],
  examples: [{ why: "See whether notices arrive", run: "gatehouse webhook list" }],
  flags: {},
  run: async (_given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { data } = await connection.call(webhooksRoute, {});
    const rows = data.items.map((webhook) => [
      webhook.id,
      webhook.name,
      webhook.url,
      webhookState(webhook),
      shortTime(webhook.lastAt),
      webhook.events.join(" "),
    ]);
    return {
      ok: true,
      lines: [
        `${count(data.items.length, "webhook")} at ${connection.server.origin}`,
        ...(rows.length === 0 ? [] : table(["id", "name", "to", "state", "last taken", "events"], rows)),
      ],
      json: { items: data.items.map(asJson) },
    };
  },
});

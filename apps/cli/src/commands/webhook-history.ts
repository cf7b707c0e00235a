import { count, shortTime, table } from "@gatehouse/command-line";
import { webhookDeliveriesRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { attemptWords, getNamedWebhook, webhookArgument, webhookState } from "../webhooks/webhook-words.ts";

const topic = "webhook history";

export const webhookHistory = defineCommand({
  name: topic,
  summary: "show the newest attempts to deliver, newest first",
  about: [
    "Each line is one attempt: when, of which event, under which id, and how the receiver answered. The newest 50 are kept. It needs the scope settings:admin.",
    connectionAbout,
  ],
  examples: [{ why: "See why notices do not arrive", run: "gatehouse webhook history chat" }],
  arguments: { webhook: webhookArgument },
  flags: {},
  run: async (given, surroundings) => {
    const connection = await openConnection(surroundings);
    const webhook = await getNamedWebhook(connection, given.webhook, topic);
    const { data } = await connection.call(webhookDeliveriesRoute, { params: { id: webhook.id } });
    const rows = data.items.map((delivery) => [
      shortTime(delivery.at),
      delivery.event,
      delivery.id,
      String(delivery.attempt),
      attemptWords(delivery),
      `${delivery.ms} ms`,
    ]);
    return {
      ok: true,
      lines: [
        `${webhook.name} to ${webhook.url}: ${webhookState(webhook)}; ${count(rows.length, "attempt")}`,
        ...(rows.length === 0 ? [] : table(["at", "event", "id", "attempt", "answer", "took"], rows)),
      ],
      json: { webhook: asJson(webhook), items: data.items.map(asJson) },
    };
  },
});

import { removeWebhookRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { getNamedWebhook, webhookArgument } from "../webhooks/webhook-words.ts";

const topic = "webhook remove";

export const webhookRemove = defineCommand({
  name: topic,
  summary: "remove a webhook; nothing is sent to it any more",
  about: ["What it has not been told yet is never told. It needs the scope settings:admin.", connectionAbout],
  examples: [{ why: "The chat is gone", run: "gatehouse webhook remove chat" }],
  arguments: { webhook: webhookArgument },
  flags: {},
  run: async (given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { id, name } = await getNamedWebhook(connection, given.webhook, topic);
    await connection.call(removeWebhookRoute, { params: { id } });
    return { ok: true, lines: [`The webhook ${name} (${id}) is removed.`], json: { removed: id } };
  },
});

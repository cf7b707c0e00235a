import { testWebhookRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { attemptWords, getNamedWebhook, webhookArgument } from "../webhooks/webhook-words.ts";

const topic = "webhook test";

export const webhookTest = defineCommand({
  name: topic,
  summary: "send a test notice now and say how it was taken",
  about: [
    "Sends one signed notice of the event webhook.test, also when the webhook is off. Of the answer only its status is told. If it is taken, notices that wait for their next attempt go at once. It needs the scope settings:admin.",
    connectionAbout,
  ],
  examples: [{ why: "See whether the receiver takes notices", run: "gatehouse webhook test chat" }],
  arguments: { webhook: webhookArgument },
  flags: {},
  run: async (given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { id, name } = await getNamedWebhook(connection, given.webhook, topic);
    const { data } = await connection.call(testWebhookRoute, { params: { id }, limitMs: 30_000 });
    const isTaken = data.outcome === "taken";
    return {
      ok: isTaken,
      lines: [`${name} ${isTaken ? "took" : "did not take"} the test: ${attemptWords(data)} in ${data.ms} ms.`],
      json: { delivery: asJson(data) },
    };
  },
});

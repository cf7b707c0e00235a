import { webhookEventNames } from "@gatehouse/contract";
import { createWebhookRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { callWithProof, openOwnSession, proofAbout } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";
import { parseWebhookEvents, readUrl, urlFlags, webhookAdminAbout } from "../webhooks/webhook-words.ts";

const topic = "webhook add";

export const webhookAdd = defineCommand({
  name: topic,
  summary: "send signed notices of chosen events to an address",
  about: [
    "Prints the secret that signs the notices alone on standard output, this once; everything else goes to standard error. Whoever receives them verifies each with it: docs/operate/webhooks.md shows how.",
    "The server sends to the address by HTTPS, also inside your network, and follows no redirect. Try it with gatehouse webhook test.",
    `${webhookAdminAbout} ${proofAbout}`,
  ],
  examples: [
    {
      why: "Tell a chat of alerts and of nodes that go offline",
      run: "gatehouse webhook add chat --url-file url.txt --event alert.opened,node.offline",
    },
    {
      why: "Tell a program of everything",
      run: "gatehouse webhook add pager --url https://pager.example/gatehouse --event all",
    },
  ],
  arguments: { name: { value: "NAME", about: "What receives the notices, up to 80 characters." } },
  flags: {
    ...urlFlags,
    event: {
      value: "EVENT",
      about: `What to tell; several with commas or by repeating the option: ${webhookEventNames.join(", ")}, or all.`,
      list: true,
      required: true,
    },
    ...passwordFlags,
  },
  run: async (given, surroundings) => {
    const events = parseWebhookEvents(given.event, topic);
    const url = await readUrl(given, topic);
    const connection = await openOwnSession(surroundings);
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 1);
    const body = { name: given.name, url, events };
    const { data } = await callWithProof({ connection, passwords }, createWebhookRoute, { body });
    return {
      ok: true,
      lines: [data.secret],
      notes: [
        `The webhook ${JSON.stringify(data.name)} (${data.id}) sends to ${data.url}; its secret is shown this once.`,
        `  events  ${data.events.join(" ")}`,
        `  test    gatehouse webhook test ${data.id}`,
      ],
      json: asJson(data),
    };
  },
});

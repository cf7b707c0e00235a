import { UsageError } from "@gatehouse/command-line";
import { changeWebhookRoute, renewWebhookSecretRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { callWithProof, openOwnSession, proofAbout } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";
import {
  getNamedWebhook,
  hasUrl,
  parseWebhookEvents,
  readUrl,
  urlFlags,
  webhookAdminAbout,
  webhookArgument,
  webhookState,
} from "../webhooks/webhook-words.ts";

const topic = "webhook set";

export const webhookSet = defineCommand({
  name: topic,
  summary: "change a webhook, turn it off or on, or make a new secret",
  about: [
    "What is turned on again is told of what happens from then on. A new secret is printed alone on standard output, this once, and the old one signs nothing any more.",
    `${webhookAdminAbout} ${proofAbout} Turning it off asks nobody.`,
  ],
  examples: [
    { why: "Be told of alerts alone", run: "gatehouse webhook set chat --event alert.opened,alert.recovered" },
    { why: "Send nothing for a while", run: "gatehouse webhook set chat --off" },
    { why: "The secret may have leaked", run: "gatehouse webhook set chat --new-secret" },
  ],
  arguments: { webhook: webhookArgument },
  flags: {
    name: { value: "NAME", about: "Another name, up to 80 characters." },
    ...urlFlags,
    event: { value: "EVENT", about: "What to tell from now on, as with gatehouse webhook add.", list: true },
    off: { about: "Send nothing." },
    on: { about: "Send again." },
    "new-secret": { about: "Make a new secret; by itself, without another change." },
    ...passwordFlags,
  },
  run: async (given, surroundings) => {
    const { on, off, name } = given;
    if (on === true && off === true) throw new UsageError("--on and --off exclude each other", topic);
    const isChange = [name, given.event, on, off].some((one) => one !== undefined) || hasUrl(given);
    const isRenewal = given["new-secret"] === true;
    if (isChange === isRenewal) {
      throw new UsageError(isChange ? "--new-secret stands by itself" : "nothing to change: write an option", topic);
    }
    const body = {
      name,
      events: given.event === undefined ? undefined : parseWebhookEvents(given.event, topic),
      url: hasUrl(given) ? await readUrl(given, topic) : undefined,
      enabled: on === true ? true : off === true ? false : undefined,
    };
    const connection = await openOwnSession(surroundings);
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 1);
    const { id } = await getNamedWebhook(connection, given.webhook, topic);
    const params = { id };
    if (isRenewal) {
      const { data } = await callWithProof({ connection, passwords }, renewWebhookSecretRoute, { params });
      const notes = [`The webhook ${JSON.stringify(data.name)} has a new secret, which is shown this once.`];
      return { ok: true, lines: [data.secret], notes, json: asJson(data) };
    }
    const { data } = await callWithProof({ connection, passwords }, changeWebhookRoute, { params, body });
    return {
      ok: true,
      lines: [
        `${data.name} (${data.id}) sends to ${data.url}: ${webhookState(data)}.`,
        `  events  ${data.events.join(" ")}`,
      ],
      json: asJson(data),
    };
  },
});

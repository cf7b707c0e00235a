import { UsageError } from "@gatehouse/command-line";
import { isWebhookEvent, type WebhookEvent, webhookEventNames } from "@gatehouse/contract";
import { type Webhook, type WebhookDelivery, webhooksRoute } from "@gatehouse/contract/routes";
import { readInput } from "../files/read-input.ts";
import type { Connection } from "../server/connection.ts";

export const webhookArgument = { value: "WEBHOOK", about: "Its name or its id, as gatehouse webhook list shows them." };

export const webhookAdminAbout = "It needs the scope settings:admin, and a session: a token can never do this.";

/** How it is doing, in one word and a time. */
export function webhookState({ enabled, failing, waiting }: Webhook): string {
  if (!enabled) return "off";
  const behind = waiting === 0 ? "" : `, ${waiting} waiting`;
  return failing === null ? `well${behind}` : `failing since ${failing.since.slice(0, 16)}Z${behind}`;
}

/** By id, or by a name that only one of them has. */
export async function getNamedWebhook(connection: Connection, named: string, topic: string): Promise<Webhook> {
  const { data } = await connection.call(webhooksRoute, {});
  const found = data.items.filter(({ id, name }) => id === named || name === named);
  const [webhook, second] = found;
  if (webhook === undefined) throw new UsageError(`there is no webhook ${JSON.stringify(named)}`, topic);
  if (second !== undefined)
    throw new UsageError(`several webhooks are called ${JSON.stringify(named)}: write the id`, topic);
  return webhook;
}

/** `all` is every event there is. */
export function parseWebhookEvents(given: readonly string[], topic: string): WebhookEvent[] {
  if (given.includes("all")) return [...webhookEventNames];
  const unknown = given.find((name) => !isWebhookEvent(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `there is no event ${JSON.stringify(unknown)}: ${webhookEventNames.join(", ")}, or all`,
      topic,
    );
  }
  return webhookEventNames.filter((name) => given.includes(name));
}

/** An address of a chat service is a secret: on a command line every user of the machine could read it. */
export const urlFlags = {
  url: { value: "URL", about: "The address, which begins with https://." },
  "url-file": {
    value: "FILE",
    about:
      "A file whose first line is the address, for one that is a secret itself: a command line is seen by every user of the machine.",
  },
} as const;

interface GivenUrl {
  readonly url?: string | undefined;
  readonly "url-file"?: string | undefined;
}

export function hasUrl(given: GivenUrl): boolean {
  return given.url !== undefined || given["url-file"] !== undefined;
}

export async function readUrl(given: GivenUrl, topic: string): Promise<string> {
  const { url, "url-file": file } = given;
  if ((url === undefined) === (file === undefined)) throw new UsageError("write either --url or --url-file", topic);
  if (file === undefined) return url ?? "";
  const bytes = await readInput(file, { what: "--url-file", topic, most: 4_096 });
  return Buffer.from(bytes).toString("utf8").split("\n")[0]?.trim() ?? "";
}

/** How the receiver answered, or why it did not. */
export function attemptWords({ outcome, status, error }: WebhookDelivery): string {
  const said = error ?? `answered ${status ?? "nothing"}`;
  return outcome === "given_up" ? `${said}; given up` : said;
}

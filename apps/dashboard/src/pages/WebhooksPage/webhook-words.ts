import { webhookEvents, type WebhookEvent } from "@gatehouse/contract";
import type { Webhook, WebhookDelivery } from "@gatehouse/contract/routes";
import type { State } from "../../ui/StateMark.tsx";

interface Mark {
  readonly state: State;
  readonly word: string;
}

/** How a webhook is doing. */
export function webhookMark({ enabled, failing, lastAt, waiting }: Webhook): Mark {
  if (!enabled) return { state: "quiet", word: "Off" };
  if (failing !== null) return { state: "warn", word: "Failing" };
  if (waiting > 0) return { state: "run", word: "Behind" };
  return lastAt === null ? { state: "idle", word: "No notice yet" } : { state: "ok", word: "Well" };
}

const marks: Readonly<Record<WebhookDelivery["outcome"], Mark>> = {
  taken: { state: "ok", word: "Taken" },
  failed: { state: "warn", word: "Failed" },
  given_up: { state: "bad", word: "Given up" },
};

export function deliveryMark({ outcome }: WebhookDelivery): Mark {
  return marks[outcome];
}

/** How the receiver answered, or why it did not. */
export function answerWords({ status, error }: Pick<WebhookDelivery, "status" | "error">): string {
  return error ?? `answered ${status ?? "nothing"}`;
}

export function eventWords(event: string): string {
  if (event === "webhook.test") return "Test";
  return Object.hasOwn(webhookEvents, event) ? webhookEvents[event as WebhookEvent] : event;
}

/** In a list there is no room for eight sentences. */
export function eventCount({ events }: Pick<Webhook, "events">): string {
  const [first, ...more] = events;
  if (first === undefined) return "nothing";
  if (events.length === Object.keys(webhookEvents).length) return "everything";
  return more.length === 0 ? eventWords(first) : `${eventWords(first)} and ${more.length} more`;
}

/**
 * What a webhook can be told of, and what each is called. One entry of the audit log is at most one notice to one webhook: an
 * offline alert is `node.offline` where that was chosen, and `alert.opened` otherwise.
 */
export const webhookEvents = {
  "alert.opened": "An alert opened",
  "alert.recovered": "An alert recovered",
  "node.offline": "A node went offline",
  "node.online": "A node is back",
  "plan.waiting": "A plan waits for approval",
  "plan.rolled_back": "A host took a change back",
  "plugin.rejected": "A plugin was rejected",
  "chain.broken": "The audit log was found damaged or edited",
} as const;

export type WebhookEvent = keyof typeof webhookEvents;
export const webhookEventNames = Object.keys(webhookEvents) as readonly WebhookEvent[];

/** Sent by the test button alone. */
export const webhookTestEvent = "webhook.test";

export function isWebhookEvent(name: string): name is WebhookEvent {
  return Object.hasOwn(webhookEvents, name);
}

/** Every number that a person meets. */
export const webhookLimits = {
  webhooks: 20,
  urlCharacters: 2_048,
  nameCharacters: 80,
  /** Deliveries that are shown, newest first. */
  shownDeliveries: 50,
} as const;

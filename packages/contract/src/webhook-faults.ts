import type { FaultKind } from "@gatehouse/base";

/** The part of the fault table that speaks of webhooks. */
export const webhookFaults = {
  "webhook.unknown": {
    kind: "unknown",
    title: "There is no such webhook",
    todo: "List the webhooks again; it may have been removed.",
  },
  "webhook.too_many": {
    kind: "conflict",
    title: "There are too many webhooks",
    todo: "Remove one that nobody needs. One webhook can be told of several events.",
  },
  "webhook.already_made": {
    kind: "conflict",
    title: "The webhook was already made for this Idempotency-Key",
    todo: "Its secret was shown once. If it was lost, make a new secret for the webhook.",
  },
  "webhook.test_under_way": {
    kind: "conflict",
    title: "A test of the webhook is under way",
    todo: "Wait for its answer.",
  },
} as const satisfies Record<string, { kind: FaultKind; title: string; todo: string }>;

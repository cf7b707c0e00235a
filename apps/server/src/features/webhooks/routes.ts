import { type WebhookRecord, webhookKind } from "@gatehouse/contract/records";
import {
  changeWebhookRoute,
  createWebhookRoute,
  removeWebhookRoute,
  renewWebhookSecretRoute,
  testWebhookRoute,
  type Webhook,
  type WebhookDelivery,
  webhookDeliveriesRoute,
  webhooksRoute,
} from "@gatehouse/contract/routes";
import { webhookLimits } from "@gatehouse/contract";
import type { Telemetry, WebhookAttempt } from "@gatehouse/store/telemetry";
import { type Route, route } from "../../platform/route/index.ts";
import {
  addWebhook,
  changeWebhook,
  getWebhook,
  type KeptWebhooksDeps,
  removeWebhook,
  renewSecret,
} from "./kept-webhooks.ts";
import type { Deliveries } from "./open-deliveries.ts";

export interface WebhookRoutesDeps extends KeptWebhooksDeps {
  readonly deliveries: Pick<Deliveries, "find" | "test">;
  readonly telemetry: Pick<Telemetry, "attemptsOf">;
}

export function webhookRoutes(deps: WebhookRoutesDeps): readonly Route[] {
  const view = (record: WebhookRecord) => viewWebhook(record, deps.deliveries.find(record.id));
  return [
    route(webhooksRoute, async () => {
      const found = await deps.store.list(webhookKind, { limit: webhookLimits.webhooks });
      return { items: found.map(({ value }) => view(value)), nextCursor: null };
    }),
    route(createWebhookRoute, async ({ principal, body, headers, request }) => {
      const { record, secret } = await addWebhook(deps, { principal, request }, body, headers["idempotency-key"]);
      return { ...view(record), secret };
    }),
    route(changeWebhookRoute, async ({ principal, params, body, request }) =>
      view(await changeWebhook(deps, { principal, request }, params.id, body)),
    ),
    route(removeWebhookRoute, ({ principal, params, request }) =>
      removeWebhook(deps, { principal, request }, params.id),
    ),
    route(renewWebhookSecretRoute, async ({ principal, params, request }) => {
      const { record, secret } = await renewSecret(deps, { principal, request }, params.id);
      return { ...view(record), secret };
    }),
    route(testWebhookRoute, async ({ params }) =>
      viewAttempt(await deps.deliveries.test((await getWebhook(deps.store, params.id)).value)),
    ),
    route(webhookDeliveriesRoute, async ({ params }) => {
      await getWebhook(deps.store, params.id);
      const found = await deps.telemetry.attemptsOf(params.id);
      return { items: found.slice(0, webhookLimits.shownDeliveries).map(viewAttempt), nextCursor: null };
    }),
  ];
}

/** Fields are named one by one: neither the secret nor the whole address can be shown. */
function viewWebhook(record: WebhookRecord, delivery: ReturnType<Deliveries["find"]>): Webhook {
  const { id, name, origin, events, enabled, failing, createdAt, createdBy } = record;
  const takenAt = delivery?.takenAt() ?? null;
  return {
    id,
    name,
    url: `${origin}/…`,
    events: [...events],
    enabled,
    failing: failing === null ? null : { since: isoTime(failing.since), reason: failing.reason },
    waiting: delivery?.waiting() ?? 0,
    lastAt: takenAt === null ? null : isoTime(takenAt),
    createdAt: isoTime(createdAt),
    createdBy,
  };
}

function viewAttempt({ notice, event, at, attempt, outcome, status, error, ms }: WebhookAttempt): WebhookDelivery {
  const shown = { id: notice, event, at: isoTime(at), attempt, outcome, ms };
  return { ...shown, status: status ?? null, error: error ?? null };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

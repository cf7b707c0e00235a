import type {
  changeWebhookRoute,
  createWebhookRoute,
  removeWebhookRoute,
  renewWebhookSecretRoute,
  testWebhookRoute,
  Webhook,
  WebhookDelivery,
  webhookDeliveriesRoute,
  webhooksRoute,
} from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";
import type { CallOf, DataOf } from "./route-call.ts";

export type NewWebhook = DataOf<typeof createWebhookRoute>;
export type WebhookWish = CallOf<typeof createWebhookRoute>["body"];
export type WebhookChange = CallOf<typeof changeWebhookRoute>["body"];

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  queryFn: ({ signal }) => fetchApi<typeof webhooksRoute>("GET", "/api/webhooks", { signal }),
});

export const webhookDeliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ["webhook-deliveries", id],
    queryFn: ({ signal }) =>
      fetchApi<typeof webhookDeliveriesRoute>("GET", "/api/webhooks/:id/deliveries", { signal, params: { id } }),
  });

/** `key` makes a repeated click harmless: the same key adds nothing twice. */
export function addWebhook(wish: WebhookWish, key: string): Promise<NewWebhook> {
  return fetchApi<typeof createWebhookRoute>("POST", "/api/webhooks", {
    body: wish,
    headers: { "idempotency-key": key },
  });
}

export function changeWebhook(id: string, change: WebhookChange): Promise<Webhook> {
  return fetchApi<typeof changeWebhookRoute>("PATCH", "/api/webhooks/:id", { params: { id }, body: change });
}

export function renewWebhookSecret(id: string): Promise<NewWebhook> {
  return fetchApi<typeof renewWebhookSecretRoute>("POST", "/api/webhooks/:id/secret", { params: { id } });
}

export function removeWebhook(id: string): Promise<undefined> {
  return fetchApi<typeof removeWebhookRoute>("DELETE", "/api/webhooks/:id", { params: { id } });
}

export function testWebhook(id: string): Promise<WebhookDelivery> {
  return fetchApi<typeof testWebhookRoute>("POST", "/api/webhooks/:id/test", { params: { id } });
}

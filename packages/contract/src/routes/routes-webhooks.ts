import * as z from "zod";
import { idOf } from "../id-form.ts";
import { visibleText } from "../visible-text.ts";
import { webhookEventNames, webhookLimits } from "../webhooks.ts";
import { idempotencyKey, listOf } from "./list-shape.ts";
import type { RouteSpec } from "./route.ts";

const webhookId = idOf("webhook");

const url = z
  .string()
  .max(webhookLimits.urlCharacters)
  .regex(/^https:\/\/[\x21-\x7e]+$/, "must begin with https:// and hold visible ASCII only")
  .refine(isPlainAddress, "must be an address without a name, a password or a fragment");

const events = z
  .array(z.enum(webhookEventNames))
  .min(1)
  .max(webhookEventNames.length)
  .refine((names) => new Set(names).size === names.length, "must name each event once");

const name = visibleText(webhookLimits.nameCharacters);

const webhookFields = {
  id: z.string(),
  name: z.string(),
  url: z.string().meta({ description: "Its origin; what follows may be a secret, and is shown to nobody." }),
  events: z.array(z.enum(webhookEventNames)),
  enabled: z.boolean(),
  failing: z
    .strictObject({ since: z.iso.datetime(), reason: z.string() })
    .nullable()
    .meta({ description: "Since when it does not take notices; null while it takes them." }),
  waiting: z.int().meta({ description: "Notices that it has not taken yet." }),
  lastAt: z.iso.datetime().nullable().meta({ description: "When it took a notice last; null when none is known." }),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
};

export const webhook = z.strictObject(webhookFields).meta({ id: "Webhook" });
export type Webhook = z.output<typeof webhook>;

export const secretWebhook = z
  .strictObject({
    ...webhookFields,
    secret: z.string().meta({ description: "What signs its notices, shown this once." }),
  })
  .meta({ id: "SecretWebhook" });

/** One attempt. What the receiver answered with is never kept but its status. */
export const webhookDelivery = z
  .strictObject({
    id: z.string().meta({ description: "As the receiver got it; the same in every attempt." }),
    event: z.string(),
    at: z.iso.datetime(),
    attempt: z.int(),
    outcome: z.enum(["taken", "failed", "given_up"]),
    status: z.int().nullable().meta({ description: "null when there was no answer." }),
    error: z.string().nullable(),
    ms: z.int(),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.output<typeof webhookDelivery>;

const admin = { kind: "scope", scope: "settings:admin", nodes: "every" } as const;

export const webhooksRoute = {
  method: "GET",
  path: "/api/webhooks",
  summary: "Lists the webhooks and how each is doing.",
  access: admin,
  responses: { 200: listOf(webhook) },
} as const satisfies RouteSpec;

export const createWebhookRoute = {
  method: "POST",
  path: "/api/webhooks",
  summary: "Adds a webhook; its secret is in this one answer.",
  access: { ...admin, stepUp: "always" },
  bodyLimit: 8 * 1024,
  headers: z.object({ "idempotency-key": idempotencyKey }),
  body: z.strictObject({ name, url, events }),
  responses: { 201: secretWebhook },
  faults: ["webhook.too_many", "webhook.already_made", "request.key_reused"],
} as const satisfies RouteSpec;

export const changeWebhookRoute = {
  method: "PATCH",
  path: "/api/webhooks/:id",
  summary: "Changes a webhook. What is turned on again is told of what happens from then on.",
  access: {
    ...admin,
    stepUp: "always",
    lowers: { says: "turning it off", body: z.strictObject({ enabled: z.literal(false) }) },
  },
  bodyLimit: 8 * 1024,
  params: z.strictObject({ id: webhookId }),
  body: z
    .strictObject({
      name: name.optional(),
      url: url.optional(),
      events: events.optional(),
      enabled: z.boolean().optional(),
    })
    .refine((body) => Object.keys(body).length > 0, "must name something to change"),
  responses: { 200: webhook },
  faults: ["webhook.unknown"],
} as const satisfies RouteSpec;

export const removeWebhookRoute = {
  method: "DELETE",
  path: "/api/webhooks/:id",
  summary: "Removes a webhook; nothing is sent to it any more.",
  access: admin,
  params: z.strictObject({ id: webhookId }),
  responses: { 204: null },
  faults: ["webhook.unknown"],
} as const satisfies RouteSpec;

export const renewWebhookSecretRoute = {
  method: "POST",
  path: "/api/webhooks/:id/secret",
  summary: "Makes a new secret, which is in this one answer; the old one signs nothing any more.",
  access: { ...admin, stepUp: "always" },
  params: z.strictObject({ id: webhookId }),
  responses: { 200: secretWebhook },
  faults: ["webhook.unknown"],
} as const satisfies RouteSpec;

export const testWebhookRoute = {
  method: "POST",
  path: "/api/webhooks/:id/test",
  summary: "Sends a test notice at once and says how the receiver answered, never what.",
  access: admin,
  params: z.strictObject({ id: webhookId }),
  responses: { 200: webhookDelivery },
  faults: ["webhook.unknown", "webhook.test_under_way"],
  rate: { perMinute: 6, burst: 6 },
} as const satisfies RouteSpec;

export const webhookDeliveriesRoute = {
  method: "GET",
  path: "/api/webhooks/:id/deliveries",
  summary: "Lists the newest attempts, newest first.",
  access: admin,
  params: z.strictObject({ id: webhookId }),
  responses: { 200: listOf(webhookDelivery) },
  faults: ["webhook.unknown"],
} as const satisfies RouteSpec;

function isPlainAddress(text: string): boolean {
  const read = URL.parse(text);
  // Written out, an empty name, password or fragment is one too.
  const hasMore = /^https:\/\/[^/?#]*@/.test(text) || text.includes("#") || text.includes("\\");
  return read?.protocol === "https:" && read.username === "" && read.password === "" && !hasMore;
}

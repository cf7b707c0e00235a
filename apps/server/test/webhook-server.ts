import { createHmac } from "node:crypto";
import type { RequestListener } from "node:http";
import type { JsonObject } from "@gatehouse/base";
import type { Webhook, WebhookDelivery } from "@gatehouse/contract/routes";
import { expect, onTestFinished } from "vitest";
import { inventedEntry } from "../../../tests/support/invented-entry.ts";
import { makeAuthority, type SeenRequest, startTlsPeer } from "../../../tests/support/tls-peer.ts";
import { type AuthServer, startAuthServer } from "./auth-server.ts";
import type { Visitor } from "./visitor.ts";

export const receiver = "hooks.example.test";
export const pathSecret = "canary-of-the-path";
export const receiverUrl = `https://${receiver}/services/${pathSecret}?token=${pathSecret}`;
const authority = makeAuthority();
const certificate = authority.issue([receiver]);

export const taken: RequestListener = (_, response) => void response.writeHead(204).end();

/** A server whose webhooks lead to a real HTTPS host of the test, inside. */
export async function startWebhookServer(
  answer: RequestListener = taken,
  more: Parameters<typeof startAuthServer>[0] = {},
) {
  const peer = await startTlsPeer(certificate, answer);
  onTestFinished(() => peer[Symbol.asyncDispose]());
  const network = { ca: authority.ca, connect: peer.connect, resolve: () => Promise.resolve(["10.0.0.5"]) };
  const options = { withoutRates: true, webhooks: { network }, ...more };
  const server = await startAuthServer(options);
  const owner = await server.visitor().signIn();
  return { server, owner, peer, options };
}

export type SecretWebhook = Webhook & { readonly secret: string };

export async function newWebhook(server: AuthServer, owner: Visitor, wanted: object = {}): Promise<SecretWebhook> {
  const body = { name: "night watch", url: receiverUrl, events: ["alert.opened", "alert.recovered"], ...wanted };
  const made = await owner.call<SecretWebhook>("POST", "/api/webhooks", { body });
  expect(made.status, made.text).toBe(201);
  server.secrets.add(made.body.secret);
  await server.hear();
  return made.body;
}

/** An alert opens on one node. */
export async function openAlert(server: AuthServer, name: string, more: JsonObject = {}): Promise<void> {
  const alert = { id: `alert_${name}`, node: `node_${name}`, name, value: 97, silenced: false };
  const detail = {
    rule: "rule_1",
    name: "busy",
    kind: "metric",
    condition: "cpu above 90 %",
    alerts: [alert],
    ...more,
  };
  const entry = {
    at: server.clock.now(),
    actor: "system",
    action: "alert.opened",
    subject: "alert-rule/rule_1",
    detail,
  };
  await server.store.commit(inventedEntry(entry));
}

export async function deliveriesOf(owner: Visitor, id: string): Promise<readonly WebhookDelivery[]> {
  return (await owner.call<{ items: WebhookDelivery[] }>("GET", `/api/webhooks/${id}/deliveries`)).body.items;
}

export async function webhookOf(owner: Visitor, id: string): Promise<Webhook | undefined> {
  return (await owner.call<{ items: Webhook[] }>("GET", "/api/webhooks")).body.items.find((one) => one.id === id);
}

/** Lets a pause pass. */
export function passOn(server: AuthServer, ms: number): void {
  server.clock.advance(ms);
  server.runTimers();
}

/** As a receiver verifies it, from the header and the bytes alone. */
export function isSigned({ headers, body }: SeenRequest, secret: string): boolean {
  const [, seconds = "", mac = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["gatehouse-signature"])) ?? [];
  return mac === createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
}

export function nodesIn({ body }: SeenRequest): string[] {
  const { alerts } = JSON.parse(body) as { alerts: { node: { name: string } }[] };
  return alerts.map(({ node }) => node.name);
}

import { setImmediate as turn } from "node:timers/promises";
import type { Webhook, WebhookDelivery } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { tokenVisitor } from "./auth-server.ts";
import {
  deliveriesOf,
  newWebhook,
  openAlert,
  passOn,
  pathSecret,
  receiver,
  receiverUrl,
  type SecretWebhook,
  startWebhookServer,
  webhookOf,
} from "./webhook-server.ts";

const wanted = { name: "night watch", url: receiverUrl, events: ["alert.opened"] };

test("neither the secret nor the path is in any list, entry, file of records or log line", async () => {
  const { server, owner } = await startWebhookServer((_, response) => void response.writeHead(500).end(pathSecret));
  const { id, secret, url } = await newWebhook(server, owner);
  expect(url).toBe(`https://${receiver}/…`);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
  await owner.call("PATCH", `/api/webhooks/${id}`, { body: { url: `${receiverUrl}-other`, name: "day watch" } });
  const renewed = await owner.call<SecretWebhook>("POST", `/api/webhooks/${id}/secret`);
  await owner.call("POST", `/api/webhooks/${id}/test`);
  await server.hear();
  await openAlert(server, "web-1");
  await expect.poll(() => deliveriesOf(owner, id)).toHaveLength(2);
  const record = await server.store.searchAudit({ limit: 1_000 });
  const list = await owner.call("GET", "/api/webhooks");
  const said = JSON.stringify([record, list.body, await deliveriesOf(owner, id), server.logLines]);
  for (const canary of [secret, renewed.body.secret, pathSecret]) expect(said).not.toContain(canary);
  expect(await server.actions()).toEqual(
    expect.arrayContaining(["webhook.created", "webhook.changed", "webhook.secret_renewed"]),
  );
});

test("an address that is not plain HTTPS is refused before anything is kept", async () => {
  const { owner } = await startWebhookServer();
  const refused = [
    `http://${receiver}/`,
    `https://user:word@${receiver}/`,
    `https://@${receiver}/`,
    `https://${receiver}/#part`,
    `https://${receiver}\\@evil.test/`,
    `https://${receiver}/ two`,
    "https://",
    "javascript:alert(1)",
    `https://${receiver}/${"x".repeat(2_048)}`,
    `HTTPS://${receiver}/`,
    `https://${receiver}:99999/`,
  ];
  for (const url of refused) {
    expect((await owner.call("POST", "/api/webhooks", { body: { ...wanted, url } })).code, url).toBe(
      "request.malformed",
    );
  }
  for (const events of [[], ["webhook.test"], ["alert.opened", "alert.opened"], ["anything"]]) {
    expect((await owner.call("POST", "/api/webhooks", { body: { ...wanted, events } })).status).toBe(400);
  }
  expect((await owner.call<{ items: unknown[] }>("GET", "/api/webhooks")).body.items).toEqual([]);
});

test("there are twenty at most, and a key adds one once", async () => {
  const { owner } = await startWebhookServer();
  const headers = { "Idempotency-Key": "once" };
  const first = await owner.call<SecretWebhook>("POST", "/api/webhooks", { body: wanted, headers });
  const again = await owner.call("POST", "/api/webhooks", { body: wanted, headers });
  expect([first.status, again.code]).toEqual([201, "webhook.already_made"]);
  expect(again.text).not.toContain(first.body.secret);
  const others = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      owner.call("POST", "/api/webhooks", { body: { ...wanted, name: `hook ${n}` } }),
    ),
  );
  expect(others.filter(({ status }) => status === 201)).toHaveLength(19);
  expect(others.filter(({ code }) => code === "webhook.too_many")).toHaveLength(1);
});

test("a stale session turns a webhook off and removes it, and does nothing else; a token that may tests it", async () => {
  const { server, owner } = await startWebhookServer();
  const { id } = await newWebhook(server, owner);
  const { visitor: token } = await tokenVisitor(server, owner, { scopes: ["settings:admin"] });
  server.clock.advance(6 * 60_000);
  const path = `/api/webhooks/${id}`;
  const proof = "auth.step_up_required";
  expect((await owner.call("POST", "/api/webhooks", { body: wanted })).code).toBe(proof);
  expect((await owner.call("POST", `${path}/secret`)).code).toBe(proof);
  for (const body of [
    { url: receiverUrl },
    { enabled: true },
    { enabled: false, name: "x" },
    { events: ["plan.waiting"] },
  ]) {
    expect((await owner.call("PATCH", path, { body })).code, JSON.stringify(body)).toBe(proof);
  }
  expect((await owner.call<Webhook>("PATCH", path, { body: { enabled: false } })).body.enabled).toBe(false);
  expect((await token.call("POST", "/api/webhooks", { body: wanted })).code).toBe("auth.session_required");
  expect((await token.call<WebhookDelivery>("POST", `${path}/test`)).body.outcome).toBe("taken");
  expect((await owner.call("DELETE", path)).status).toBe(204);
});

test("a test says how the receiver answered, never what, and calls what waits", async () => {
  let status = 500;
  const { server, owner, peer } = await startWebhookServer(
    (_, response) => void response.writeHead(status, { "x-canary": "canary" }).end("canary"),
  );
  const { id } = await newWebhook(server, owner);
  await openAlert(server, "web-1");
  await expect.poll(() => deliveriesOf(owner, id)).toHaveLength(1);
  const test = () => owner.call<WebhookDelivery>("POST", `/api/webhooks/${id}/test`);
  const failed = await test();
  expect(failed.body).toMatchObject({ event: "webhook.test", outcome: "failed", status: 500 });
  expect(failed.text).not.toContain("canary");
  status = 204;
  expect((await test()).body).toMatchObject({ outcome: "taken", status: 204, error: null });
  await expect.poll(() => peer.seen.length).toBe(4);
  expect(peer.seen.map(({ headers }) => headers["gatehouse-event"])).toEqual([
    "alert.opened",
    "webhook.test",
    "webhook.test",
    "alert.opened",
  ]);
  await expect.poll(async () => (await webhookOf(owner, id))?.waiting).toBe(0);
});

test("a second test does not begin while one is under way", async () => {
  const arrived = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const { server, owner } = await startWebhookServer((_, response) => {
    arrived.resolve();
    void answered.promise.then(() => response.writeHead(204).end());
  });
  const { id } = await newWebhook(server, owner);
  const first = owner.call<WebhookDelivery>("POST", `/api/webhooks/${id}/test`);
  await arrived.promise;
  expect((await owner.call("POST", `/api/webhooks/${id}/test`)).code).toBe("webhook.test_under_way");
  answered.resolve();
  expect((await first).body.outcome).toBe("taken");
});

test("a new address gets what waits at once, and a server that stops leaves nothing under way", async () => {
  const arrived = Promise.withResolvers<void>();
  const { server, owner, peer } = await startWebhookServer((request, response) => {
    if (request.url === "/better") return void response.writeHead(204).end();
    if (request.url === "/silent") return arrived.resolve();
    response.writeHead(500).end();
  });
  const { id } = await newWebhook(server, owner);
  await openAlert(server, "web-1");
  await expect.poll(() => deliveriesOf(owner, id)).toHaveLength(1);
  await owner.call("PATCH", `/api/webhooks/${id}`, { body: { url: `https://${receiver}/better` } });
  await expect
    .poll(() => deliveriesOf(owner, id))
    .toMatchObject([{ outcome: "taken", attempt: 1 }, { outcome: "failed" }]);
  await owner.call("PATCH", `/api/webhooks/${id}`, { body: { url: `https://${receiver}/silent` } });
  await server.hear();
  await openAlert(server, "web-2");
  await arrived.promise;
  await server.close();
  for (let n = 0; n < 20; n += 1) await turn();
  passOn(server, 60_000);
  expect(peer.seen).toHaveLength(3);
});

import type { RequestListener } from "node:http";
import { memoryTelemetry } from "@gatehouse/store/telemetry";
import { memoryStore } from "@gatehouse/store/far";
import { ephemeralSecrets } from "@gatehouse/store";
import { manualClock } from "@gatehouse/base";
import { describe, expect, test } from "vitest";
import { startAuthServer } from "./auth-server.ts";
import {
  deliveriesOf,
  isSigned,
  newWebhook,
  nodesIn,
  openAlert,
  passOn,
  pathSecret,
  receiverUrl,
  type SecretWebhook,
  startWebhookServer,
  webhookOf,
} from "./webhook-server.ts";

const minute = 60_000;
const hour = 60 * minute;
const answers = (status: () => number, headers: Record<string, string> = {}): RequestListener => {
  return (_, response) => void response.writeHead(status(), headers).end("canary of the answer");
};

describe("a notice", () => {
  test("is sent once, signed, with what happened and a sentence", async () => {
    const { server, owner, peer } = await startWebhookServer();
    const { id, secret } = await newWebhook(server, owner);
    await openAlert(server, "web-1");
    await expect.poll(() => peer.seen.length).toBe(1);
    const [request] = peer.seen;
    expect(request).toMatchObject({ method: "POST", url: `/services/${pathSecret}?token=${pathSecret}` });
    expect(request?.headers).toMatchObject({ "content-type": "application/json", "gatehouse-event": "alert.opened" });
    const body = JSON.parse(request?.body ?? "") as Record<string, unknown>;
    expect(body).toMatchObject({
      event: "alert.opened",
      server: "https://gate.example.test",
      text: 'Alert "busy" on web-1: cpu above 90 %.',
      skipped: 0,
    });
    expect(request?.headers["gatehouse-delivery"]).toBe(body["id"]);
    expect(request !== undefined && isSigned(request, secret)).toBe(true);
    await expect.poll(() => deliveriesOf(owner, id)).toMatchObject([{ outcome: "taken", status: 204, attempt: 1 }]);
    expect((await webhookOf(owner, id))?.lastAt).not.toBeNull();
    expect(server.logLines.join("")).not.toContain(pathSecret);
  });

  test("is signed with the newest secret alone", async () => {
    const { server, owner, peer } = await startWebhookServer();
    const { id, secret } = await newWebhook(server, owner);
    const renewed = await owner.call<SecretWebhook>("POST", `/api/webhooks/${id}/secret`);
    server.secrets.add(renewed.body.secret);
    await server.hear();
    await openAlert(server, "web-1");
    await expect.poll(() => peer.seen.length).toBe(1);
    const [request] = peer.seen;
    if (request === undefined) throw new Error("nothing came");
    expect([isSigned(request, secret), isSigned(request, renewed.body.secret)]).toEqual([false, true]);
  });

  test("goes to whoever asked for its event and is on, of what happened since", async () => {
    const { server, owner, peer } = await startWebhookServer();
    await openAlert(server, "before");
    const other = await newWebhook(server, owner, { name: "plans", events: ["plan.waiting"] });
    const off = await newWebhook(server, owner, { name: "off" });
    await owner.call("PATCH", `/api/webhooks/${off.id}`, { body: { enabled: false } });
    await newWebhook(server, owner, { name: "alerts" });
    await openAlert(server, "while-off");
    await expect.poll(() => peer.seen.length).toBe(1);
    server.clock.advance(1);
    await owner.call("PATCH", `/api/webhooks/${off.id}`, { body: { enabled: true } });
    await server.hear();
    await openAlert(server, "after");
    await expect.poll(() => peer.seen.length).toBe(3);
    expect(peer.seen.flatMap(nodesIn).toSorted()).toEqual(["after", "after", "while-off"]);
    expect(await deliveriesOf(owner, other.id)).toEqual([]);
  });

  test("is not sent any more when the webhook was removed", async () => {
    const { server, owner, peer } = await startWebhookServer(answers(() => 500));
    const { id } = await newWebhook(server, owner);
    await openAlert(server, "web-1");
    await expect.poll(() => deliveriesOf(owner, id)).toHaveLength(1);
    expect((await owner.call("DELETE", `/api/webhooks/${id}`)).status).toBe(204);
    await server.hear();
    await openAlert(server, "web-2");
    passOn(server, hour);
    await server.hear();
    expect(peer.seen).toHaveLength(1);
    expect((await owner.call("GET", `/api/webhooks/${id}/deliveries`)).code).toBe("webhook.unknown");
  });
});

describe("a receiver that fails", () => {
  test("gets every notice again, in order, and what it said is told by its status", async () => {
    let status = 500;
    const { server, owner, peer } = await startWebhookServer(answers(() => status));
    const { id } = await newWebhook(server, owner);
    for (const name of ["web-1", "web-2", "web-3"]) await openAlert(server, name);
    await expect.poll(() => deliveriesOf(owner, id)).toMatchObject([{ outcome: "failed", status: 500, attempt: 1 }]);
    expect((await webhookOf(owner, id))?.waiting).toBe(3);
    passOn(server, 9_999);
    status = 204;
    passOn(server, 1);
    await expect.poll(() => peer.seen.length).toBe(4);
    expect(peer.seen.flatMap(nodesIn)).toEqual(["web-1", "web-1", "web-2", "web-3"]);
    const ids = peer.seen.map(({ headers }) => headers["gatehouse-delivery"]);
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(3);
    const all = JSON.stringify([await deliveriesOf(owner, id), await server.audit(), server.logLines]);
    expect(all).not.toContain("canary of the answer");
  });

  test("is said to fail once, when it has failed three times, and to be well once", async () => {
    let status = 503;
    const { server, owner, peer } = await startWebhookServer(answers(() => status));
    const { id } = await newWebhook(server, owner);
    await openAlert(server, "web-1");
    const turns = async () =>
      (await server.actions()).filter((action) => /^webhook\.(failing|recovered)$/.test(action));
    for (const [pause, attempts] of [
      [0, 1],
      [10_000, 2],
      [minute, 3],
      [5 * minute, 4],
    ] as const) {
      passOn(server, pause);
      await expect.poll(() => deliveriesOf(owner, id)).toHaveLength(attempts);
      if (attempts < 3) expect(await turns()).toEqual([]);
    }
    await expect.poll(turns).toEqual(["webhook.failing"]);
    expect((await webhookOf(owner, id))?.failing).toMatchObject({ reason: "the receiver answered 503" });
    status = 200;
    passOn(server, 30 * minute);
    await expect.poll(turns).toEqual(["webhook.failing", "webhook.recovered"]);
    expect((await webhookOf(owner, id))?.failing).toBeNull();
    expect(peer.seen).toHaveLength(5);
  });

  test("is given up on after seven attempts, and the next notice says what was left out", async () => {
    let status = 500;
    const { server, owner, peer } = await startWebhookServer(answers(() => status));
    const { id } = await newWebhook(server, owner);
    await openAlert(server, "web-1");
    const pauses = [10_000, minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour];
    for (const [at, pause] of pauses.entries()) {
      await expect.poll(() => deliveriesOf(owner, id)).toHaveLength(at + 1);
      passOn(server, pause);
      // Nobody's session is as long.
      await owner.signIn();
    }
    await expect.poll(() => deliveriesOf(owner, id)).toHaveLength(7);
    expect((await deliveriesOf(owner, id))[0]).toMatchObject({ outcome: "given_up", attempt: 7 });
    status = 200;
    await openAlert(server, "web-2");
    await expect.poll(() => peer.seen.length).toBe(8);
    expect(JSON.parse(peer.seen[7]?.body ?? "")).toMatchObject({ skipped: 1 });
  });

  test("that is a day behind skips what is older, and is told how much", async () => {
    let status = 500;
    const { server, owner, peer } = await startWebhookServer(answers(() => status));
    const { id } = await newWebhook(server, owner);
    for (const name of ["web-1", "web-2"]) await openAlert(server, name);
    await expect.poll(() => deliveriesOf(owner, id)).toHaveLength(1);
    status = 200;
    server.clock.advance(24 * hour + 1);
    await openAlert(server, "web-3");
    server.runTimers();
    await expect.poll(() => peer.seen.length).toBe(2);
    expect(peer.seen.map(nodesIn)).toEqual([["web-1"], ["web-3"]]);
    expect(JSON.parse(peer.seen[1]?.body ?? "")).toMatchObject({ skipped: 2 });
  });

  test("holds no more than a thousand notices, and its pause goes on however many come", async () => {
    let status = 500;
    const { server, owner, peer } = await startWebhookServer(answers(() => status));
    const { id } = await newWebhook(server, owner);
    await openAlert(server, "web-0");
    await expect.poll(() => deliveriesOf(owner, id)).toHaveLength(1);
    await Promise.all(Array.from({ length: 1_100 }, (_, n) => openAlert(server, `web-${n + 1}`)));
    await expect.poll(async () => (await webhookOf(owner, id))?.waiting).toBe(1_000);
    expect(peer.seen).toHaveLength(1);
    status = 200;
    passOn(server, 10_000);
    await expect.poll(() => peer.seen.length, { timeout: 30_000 }).toBe(1_001);
    expect(JSON.parse(peer.seen[1]?.body ?? "")).toMatchObject({ skipped: 101 });
  });

  test("that redirects has not taken it, and nobody goes there", async () => {
    const elsewhere = { location: receiverUrl.replace("services", "elsewhere") };
    const { server, owner, peer } = await startWebhookServer(answers(() => 307, elsewhere));
    const { id } = await newWebhook(server, owner);
    await openAlert(server, "web-1");
    const error = "the receiver answered 307, and redirects are not followed";
    await expect.poll(() => deliveriesOf(owner, id)).toMatchObject([{ outcome: "failed", status: 307, error }]);
    expect(peer.seen.map(({ url }) => url)).toEqual([`/services/${pathSecret}?token=${pathSecret}`]);
  });

  test("that never ends its answer is cut off by its size", async () => {
    const { server, owner } = await startWebhookServer((_, response) => {
      const more = () => void (response.destroyed || response.write(" ".repeat(4_096), () => setImmediate(more)));
      more();
    });
    const { id } = await newWebhook(server, owner);
    await openAlert(server, "web-1");
    const error = "the answer is larger than 65536 bytes";
    await expect.poll(() => deliveriesOf(owner, id)).toMatchObject([{ outcome: "failed", status: null, error }]);
  });
});

describe("a restart", () => {
  test("loses nothing that was committed and not delivered, and repeats nothing that was taken", async () => {
    const clock = manualClock();
    const kept = { clock, store: memoryStore(), telemetry: memoryTelemetry({ clock }), secrets: ephemeralSecrets() };
    let status = 204;
    const first = await startWebhookServer(
      answers(() => status),
      kept,
    );
    const { id } = await newWebhook(first.server, first.owner);
    await openAlert(first.server, "taken");
    await expect.poll(() => deliveriesOf(first.owner, id)).toHaveLength(1);
    status = 500;
    await openAlert(first.server, "not-taken");
    await expect.poll(() => deliveriesOf(first.owner, id)).toHaveLength(2);
    await first.server.close();
    await openAlert(first.server, "while-down");
    status = 204;
    await startAuthServer(first.options);
    await expect.poll(() => first.peer.seen.length).toBe(4);
    expect(first.peer.seen.flatMap(nodesIn)).toEqual(["taken", "not-taken", "not-taken", "while-down"]);
  });

  test("without the telemetry tells the last day again rather than nothing, each under its own id", async () => {
    const clock = manualClock();
    const kept = { clock, store: memoryStore(), secrets: ephemeralSecrets() };
    const first = await startWebhookServer(undefined, { ...kept, telemetry: memoryTelemetry({ clock }) });
    await newWebhook(first.server, first.owner);
    await openAlert(first.server, "old");
    await expect.poll(() => first.peer.seen.length).toBe(1);
    clock.advance(24 * hour + 1);
    await openAlert(first.server, "new");
    await expect.poll(() => first.peer.seen.length).toBe(2);
    await first.server.close();
    await startAuthServer({ ...first.options, telemetry: memoryTelemetry({ clock }) });
    await expect.poll(() => first.peer.seen.length).toBe(3);
    const [, before, again] = first.peer.seen;
    expect(again?.headers["gatehouse-delivery"]).toBe(before?.headers["gatehouse-delivery"]);
  });
});

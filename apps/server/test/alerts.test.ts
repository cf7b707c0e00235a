import { metricLimits, metricNames } from "@gatehouse/contract";
import type { Alert, AlertRule, AlertSilence, Node } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import { PretendHost } from "../../../tests/support/pretend-host.ts";
import { seedFleet } from "../../../tests/support/seed-fleet.ts";
import { type AuthServer, startAuthServer, tokenVisitor } from "./auth-server.ts";
import { farStore } from "./far-store.ts";
import { connectPretend, enrolPretend, type PretendAgent } from "./pretend-agent.ts";
import type { Visitor } from "./visitor.ts";

const minute = metricLimits.minuteMs;

interface AlertsPage {
  readonly items: readonly Alert[];
  readonly nextCursor: string | null;
  readonly open: number;
  readonly unkept: number | null;
}

async function start(options: Parameters<typeof startAuthServer>[0] = {}) {
  const server = await startAuthServer({ withoutRates: true, ...options });
  const owner = await server.visitor().signIn();
  return { server, owner };
}

async function startWithHost(name = "web-1") {
  const { server, owner } = await start();
  const host = await enrolPretend(server, owner, new PretendHost(), { name, tags: ["web"] });
  const agent = await connectPretend(server, host);
  return { server, owner, host, agent };
}

/** A minute passes, in which the host measures its disk; then the server looks. */
async function passMinute(server: AuthServer, agent: PretendAgent, disk: number | null) {
  server.clock.advance(minute);
  const at = server.clock.now();
  const values = metricNames.map((name) => (name === "disk" ? disk : 1));
  agent.send({ t: "~minutes", at, minutes: [{ at: at - minute, values }] });
  // When the beat behind them is acknowledged, they are taken.
  agent.send({ t: "beat", seq: 1, at, values: [] });
  await agent.nextFrame();
  await server.tick();
}

async function passMinutes(server: AuthServer, agent: PretendAgent, disk: readonly (number | null)[]) {
  for (const value of disk) await passMinute(server, agent, value);
}

async function read(visitor: Visitor, query = ""): Promise<AlertsPage> {
  const answer = await visitor.call<AlertsPage>("GET", `/api/alerts${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Ends the host's connection, and waits until the server knows. */
async function leave(owner: Visitor, host: PretendHost, agent: PretendAgent) {
  agent.socket.terminate();
  await expect
    .poll(async () => (await owner.call<Node>("GET", `/api/nodes/${host.nodeId}`)).body.state)
    .toBe("offline");
}

const entriesOf = async (server: AuthServer, noun = "alert.") =>
  (await server.audit()).filter(({ action }) => action.startsWith(noun));

describe("a disk that fills up", () => {
  test("opens an alert when it has held for five minutes, which ends when it is over", async () => {
    const { server, owner, host, agent } = await startWithHost();
    await passMinutes(server, agent, [91, 92, 93, 94]);
    expect((await read(owner)).items).toEqual([]);
    await passMinute(server, agent, 95);
    const [alert] = (await read(owner)).items;
    expect(alert).toMatchObject({
      rule: "disk",
      name: "Disk",
      kind: "metric",
      node: host.nodeId,
      nodeName: "web-1",
      condition: "Disk over 90 % for 5 min",
      value: 95,
      threshold: 90,
      unit: "percent",
      acknowledged: null,
      silencedUntil: null,
    });
    expect(Date.parse(alert?.openedAt ?? "") - Date.parse(alert?.since ?? "")).toBe(5 * minute);
    await passMinute(server, agent, 97);
    expect((await read(owner)).items[0]?.value).toBe(97);
    await passMinutes(server, agent, [84, null, 84]);
    expect((await read(owner)).items).toEqual([]);
    const told = { id: alert?.id, node: host.nodeId, name: "web-1", value: 95, silenced: false };
    const rule = { rule: "disk", name: "Disk", kind: "metric", condition: "Disk over 90 % for 5 min" };
    expect(
      (await entriesOf(server)).map(({ action, actor, subject, detail }) => [action, actor, subject, detail]),
    ).toEqual([
      ["alert.opened", "system", "alert-rule/disk", { ...rule, alerts: [told] }],
      [
        "alert.recovered",
        "system",
        "alert-rule/disk",
        { ...rule, because: "recovered", alerts: [{ ...told, since: Date.parse(alert?.since ?? "") }] },
      ],
    ]);
  });

  test("opens nothing by minutes of a past that nobody was told of", async () => {
    const { server, owner, agent } = await startWithHost();
    server.clock.advance(60 * minute);
    const at = server.clock.now();
    const values = metricNames.map(() => 99);
    const minutes = Array.from({ length: 40 }, (_, n) => ({ at: at - (n + 12) * minute, values }));
    agent.send({ t: "~minutes", at, minutes });
    agent.send({ t: "beat", seq: 1, at, values: [] });
    await agent.nextFrame();
    await server.tick();
    expect((await read(owner)).items).toEqual([]);
  });

  test("is still known after a restart, where what had held is counted anew", async () => {
    const store = farStore();
    const first = await start({ store });
    const { server, owner } = first;
    const [full, filling] = [new PretendHost(), new PretendHost()];
    const one = await connectPretend(server, await enrolPretend(server, owner, full));
    const other = await connectPretend(server, await enrolPretend(server, owner, filling));
    await passMinutes(server, one, [95, 95, 95, 95, 95]);
    await passMinutes(server, other, [95, 95, 95, 95]);
    const before = (await read(owner)).items;
    expect(before.map(({ node }) => node)).toEqual([full.nodeId]);
    await server.close();
    const again = await start({ store, clock: server.clock });
    const back = await connectPretend(again.server, filling);
    await passMinute(again.server, back, 95);
    expect((await read(again.owner)).items.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    await passMinutes(again.server, back, [95, 95, 95, 95]);
    expect((await read(again.owner, "?rule=disk")).items).toHaveLength(2);
  });
});

describe("a host that goes away", () => {
  test("opens an alert after two minutes, which ends when it is back", async () => {
    const { server, owner, host, agent } = await startWithHost();
    await leave(owner, host, agent);
    server.clock.advance(minute);
    await server.tick();
    expect((await read(owner)).items).toEqual([]);
    server.clock.advance(minute);
    await server.tick();
    expect((await read(owner)).items).toMatchObject([{ rule: "offline", kind: "offline", value: null, unit: null }]);
    await connectPretend(server, host);
    await server.tick();
    expect((await read(owner)).items).toEqual([]);
  });

  test("is no alert while the server has just started and nobody knows, nor when it was never here", async () => {
    const store = farStore();
    const { server, owner } = await start({ store });
    const host = await enrolPretend(server, owner, new PretendHost());
    const unheard = await enrolPretend(server, owner, new PretendHost());
    (await connectPretend(server, host)).send(host.facts());
    const factsOf = async (id: string) => (await owner.call<Node>("GET", `/api/nodes/${id}`)).body.facts;
    await expect.poll(() => factsOf(host.nodeId)).not.toBeNull();
    expect(await factsOf(unheard.nodeId)).toBeNull();
    await server.close();
    const again = await start({ store, clock: server.clock });
    await again.server.tick();
    expect((await read(again.owner)).items).toEqual([]);
    again.server.clock.advance(minute);
    await again.server.tick();
    again.server.clock.advance(2 * minute);
    await again.server.tick();
    expect((await read(again.owner)).items).toMatchObject([{ rule: "offline", node: host.nodeId }]);
  });

  test("takes its alerts with it when it is removed or revoked", async () => {
    const { server, owner } = await start();
    const ids: string[] = [];
    for (const name of ["a", "b"]) {
      const host = await enrolPretend(server, owner, new PretendHost(), { name });
      await leave(owner, host, await connectPretend(server, host));
      ids.push(host.nodeId);
    }
    server.clock.advance(2 * minute);
    await server.tick();
    expect((await read(owner)).open).toBe(2);
    const [removed, revoked] = ids as [string, string];
    const tagOf = async (id: string) => (await owner.call("GET", `/api/nodes/${id}`)).headers.get("etag") ?? "";
    const match = async (id: string) => ({ headers: { "If-Match": await tagOf(id) } });
    expect((await owner.call("DELETE", `/api/nodes/${removed}`, await match(removed))).status).toBe(204);
    const body = { revoked: true };
    expect((await owner.call("PATCH", `/api/nodes/${revoked}`, { ...(await match(revoked)), body })).status).toBe(200);
    await server.tick();
    expect((await read(owner)).items).toEqual([]);
    const ended = (await entriesOf(server, "alert.recovered")).flatMap(({ detail }) => [detail]);
    expect(ended).toMatchObject([{ because: "node gone", alerts: [{}, {}] }]);
    server.clock.advance(5 * minute);
    await server.tick();
    expect((await read(owner)).items).toEqual([]);
  });

  test("is one entry for all of a site, cut where it grows too large", async () => {
    const { server, owner } = await start();
    // Names of the most bytes: an entry holds fewer of them.
    for (let n = 0; n < 60; n += 1) {
      const name = "\u{1F980}".repeat(29) + String(n).padStart(2, "0");
      const agent = await connectPretend(server, await enrolPretend(server, owner, new PretendHost(), { name }));
      agent.socket.terminate();
    }
    const offline = async () => (await owner.call<{ items: Node[] }>("GET", "/api/nodes?state=offline")).body.items;
    await expect.poll(async () => (await offline()).length).toBe(60);
    server.clock.advance(2 * minute);
    await server.tick();
    expect((await read(owner)).open).toBe(60);
    const entries = await entriesOf(server, "alert.opened");
    expect(entries.length).toBe(2);
  });

  test("again and again is flapping, told once", async () => {
    const { server, owner, host, agent } = await startWithHost();
    let last = agent;
    for (let n = 0; n < 6; n += 1) {
      await leave(owner, host, last);
      last = await connectPretend(server, host);
      await server.tick();
    }
    expect((await read(owner)).items).toMatchObject([
      { rule: "flapping", kind: "flapping", condition: "Flapping, 6 times in 20 min", value: 6 },
    ]);
    server.clock.advance(21 * minute);
    await server.tick();
    expect((await read(owner)).items).toEqual([]);
    expect((await entriesOf(server)).map(({ action }) => action)).toEqual(["alert.opened", "alert.recovered"]);
  });
});

describe("an acknowledgement", () => {
  test("names who looks after an alert; the first one stays", async () => {
    const { server, owner, host, agent } = await startWithHost();
    await leave(owner, host, agent);
    server.clock.advance(2 * minute);
    await server.tick();
    const [alert] = (await read(owner)).items;
    const path = `/api/alerts/${alert?.id}/acknowledgement`;
    const body = { note: "on my way" };
    const answer = await owner.call<Alert>("POST", path, { body });
    expect([answer.status, answer.body.acknowledged]).toMatchObject([200, { name: "admin", note: "on my way" }]);
    const { visitor: other } = await tokenVisitor(server, owner, { scopes: ["node:admin", "node:read"] });
    const second = await other.call<Alert>("POST", path, { body: {} });
    expect(second.body.acknowledged).toEqual(answer.body.acknowledged);
    const entries = await entriesOf(server, "alert.acknowledged");
    expect(entries.map(({ actor, detail }) => [actor, detail])).toEqual([
      [
        answer.body.acknowledged?.by,
        { alert: alert?.id, rule: "offline", node: host.nodeId, name: "web-1", note: "on my way" },
      ],
    ]);
  });

  test("of an alert that has ended, or of a node that somebody may not see, is refused alike", async () => {
    const { server, owner, host, agent } = await startWithHost();
    const other = await enrolPretend(server, owner, new PretendHost());
    await leave(owner, host, agent);
    server.clock.advance(2 * minute);
    await server.tick();
    const [alert] = (await read(owner, `?node=${host.nodeId}`)).items;
    const scopes = ["node:read", "node:admin"];
    const { visitor: limited } = await tokenVisitor(server, owner, { scopes, nodes: [other.nodeId] });
    for (const id of [alert?.id, `alert_${"0".repeat(26)}`]) {
      expect((await limited.call("POST", `/api/alerts/${id}/acknowledgement`, { body: {} })).code).toBe(
        "alert.unknown",
      );
    }
    const { visitor: own } = await tokenVisitor(server, owner, { scopes, nodes: [host.nodeId] });
    expect((await own.call("POST", `/api/alerts/${alert?.id}/acknowledgement`, { body: {} })).status).toBe(200);
  });
});

test("whoever may see some nodes sees their alerts, and of rules and silences what is about them", async () => {
  const { server, owner } = await start();
  const ids: string[] = [];
  for (const name of ["a", "b"]) {
    const host = await enrolPretend(server, owner, new PretendHost(), { name });
    await leave(owner, host, await connectPretend(server, host));
    ids.push(host.nodeId);
  }
  const [mine, theirs] = ids as [string, string];
  server.clock.advance(2 * minute);
  await server.tick();
  const watch = { kind: "offline", holdMinutes: 60 };
  const until = new Date(server.clock.now() + minute).toISOString();
  for (const nodes of [[theirs], [mine, theirs]]) {
    const rule = { name: `of ${nodes.length}`, watch, appliesTo: { nodes } };
    expect((await owner.call("POST", "/api/alert-rules", { body: rule })).status).toBe(201);
    const silence = { appliesTo: { nodes }, rule: "disk", until, reason: "a test" };
    expect((await owner.call("POST", "/api/alert-silences", { body: silence })).status).toBe(201);
  }
  const { visitor: limited } = await tokenVisitor(server, owner, { scopes: ["node:read"], nodes: [mine] });
  const seen = await read(limited);
  expect(seen).toMatchObject({ open: 1, unkept: null, items: [{ node: mine }] });
  const rules = await limited.call<{ items: AlertRule[] }>("GET", "/api/alert-rules");
  const own = rules.body.items.filter(({ builtIn }) => !builtIn);
  expect(own.map(({ appliesTo }) => appliesTo)).toEqual([{ nodes: [mine] }]);
  expect(rules.body.items.find(({ id }) => id === "offline")?.open).toBe(1);
  const silences = await limited.call<{ items: AlertSilence[] }>("GET", "/api/alert-silences");
  expect(silences.body.items.map(({ appliesTo }) => appliesTo)).toEqual([{ nodes: [mine] }]);
  for (const answer of [rules, silences]) expect(answer.text).not.toContain(theirs);
});

test("a page of alerts goes on where the one before has ended", async () => {
  const { server, owner } = await start();
  const nodes = await seedFleet(server.store, { nodes: 5, seed: 1, now: server.clock.now() });
  const alive = nodes.filter(({ revokedAt, facts }) => revokedAt === undefined && facts !== undefined).length;
  expect(alive).toBeGreaterThan(2);
  server.clock.advance(minute);
  await server.tick();
  server.clock.advance(2 * minute);
  await server.tick();
  const first = await read(owner, "?limit=2");
  const second = await read(owner, `?limit=2&cursor=${first.nextCursor}`);
  const rest = second.nextCursor === null ? [] : [await read(owner, `?cursor=${second.nextCursor}`)];
  const ids = [first, second, ...rest].flatMap(({ items }) => items.map(({ id }) => id));
  expect([new Set(ids).size, ids.length, first.open]).toEqual([alive, alive, alive]);
  expect(first.items).toHaveLength(2);
});

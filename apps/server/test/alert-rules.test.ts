import { alertLimits } from "@gatehouse/contract";
import { memoryStore } from "@gatehouse/store/far";
import type { Alert, AlertRule, AlertSilence } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import { seedFleet } from "../../../tests/support/seed-fleet.ts";
import { type AuthServer, newVisitor, startAuthServer } from "./auth-server.ts";
import type { Visitor } from "./visitor.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const loaded = {
  kind: "metric",
  metric: "load",
  crosses: "above",
  threshold: 8,
  holdMinutes: 5,
  recover: { threshold: 4, minutes: 3 },
};

async function start(options: Parameters<typeof startAuthServer>[0] = {}) {
  const server = await startAuthServer({ withoutRates: true, ...options });
  return { server, owner: await server.visitor().signIn() };
}

const make = (visitor: Visitor, body: object, key?: string) =>
  visitor.call<AlertRule>("POST", "/api/alert-rules", { body, ...(key && { headers: { "Idempotency-Key": key } }) });

async function change(visitor: Visitor, id: string, body: object, tag?: string) {
  const match = tag ?? (await visitor.call("GET", `/api/alert-rules/${id}`)).headers.get("etag") ?? "";
  return visitor.call<AlertRule>("PATCH", `/api/alert-rules/${id}`, { body, headers: { "If-Match": match } });
}

const lastDetail = async (server: AuthServer) => (await server.audit()).at(-1);

describe("rules that are always there", () => {
  test("are there without anybody having made them, and leave no record", async () => {
    const { server, owner } = await start();
    const { body } = await owner.call<{ items: AlertRule[] }>("GET", "/api/alert-rules");
    expect(
      body.items.map(({ id, condition, enabled, builtIn, changedAt }) => [id, condition, enabled, builtIn, changedAt]),
    ).toEqual([
      ["offline", "Offline for 2 min", true, true, null],
      ["flapping", "Flapping, 6 times in 20 min", true, true, null],
      ["disk", "Disk over 90 % for 5 min", true, true, null],
      ["memory", "Memory over 95 % for 10 min", true, true, null],
    ]);
    expect((await server.actions()).filter((action) => action.startsWith("alert."))).toEqual([]);
  });

  test("are changed and switched off with the version that was read, and never removed", async () => {
    const { server, owner } = await start();
    const before = await owner.call<AlertRule>("GET", "/api/alert-rules/disk");
    expect(before.headers.get("etag")).toBe('"0"');
    const watch = { ...before.body.watch, threshold: 80, recover: { threshold: 70, minutes: 2 } };
    const changed = await change(owner, "disk", { watch });
    expect([changed.status, changed.body.condition]).toEqual([200, "Disk over 80 % for 5 min"]);
    expect(changed.headers.get("etag")).not.toBe('"0"');
    expect(await lastDetail(server)).toMatchObject({
      action: "alert.rule_changed",
      subject: "alert-rule/disk",
      detail: { rule: "disk", condition: "Disk over 80 % for 5 min", from: { condition: "Disk over 90 % for 5 min" } },
    });
    expect((await change(owner, "disk", { enabled: false }, '"0"')).code).toBe("request.stale");
    expect((await change(owner, "disk", { enabled: false })).body).toMatchObject({ enabled: false, watch });
    const remove = { headers: { "If-Match": '"0"' } };
    expect((await owner.call("DELETE", "/api/alert-rules/memory", remove)).code).toBe("alert.rule_built_in");
  });

  test("keep what they watch for", async () => {
    const { owner } = await start();
    expect((await change(owner, "disk", { watch: { kind: "offline", holdMinutes: 1 } })).code).toBe("alert.rule_kind");
    expect((await change(owner, "disk", { watch: loaded })).code).toBe("alert.rule_kind");
  });
});

describe("a rule that somebody makes", () => {
  test("is made once for one Idempotency-Key, listed, changed and removed", async () => {
    const { server, owner } = await start();
    const body = { name: "Busy", watch: loaded };
    const made = await make(owner, body, "one");
    expect([made.status, made.body.condition, made.body.appliesTo]).toEqual([
      201,
      "Load over 8 for 5 min",
      { all: true },
    ]);
    expect((await make(owner, body, "one")).body.id).toBe(made.body.id);
    expect((await make(owner, { ...body, name: "Other" }, "one")).code).toBe("request.key_reused");
    const changed = await change(owner, made.body.id, { name: "Very busy" }, made.headers.get("etag") ?? "");
    expect(changed.body).toMatchObject({ name: "Very busy", watch: loaded });
    const listed = await owner.call<{ items: AlertRule[] }>("GET", "/api/alert-rules");
    expect(listed.body.items.map(({ name }) => name)).toEqual(["Offline", "Flapping", "Disk", "Memory", "Very busy"]);
    const path = `/api/alert-rules/${made.body.id}`;
    const stale = { headers: { "If-Match": made.headers.get("etag") ?? "" } };
    expect((await owner.call("DELETE", path, stale)).code).toBe("request.stale");
    const match = { headers: { "If-Match": changed.headers.get("etag") ?? "" } };
    expect((await owner.call("DELETE", path, match)).status).toBe(204);
    expect((await owner.call("GET", path)).code).toBe("alert.rule_unknown");
    expect((await server.actions()).filter((action) => action.startsWith("alert."))).toEqual([
      "alert.rule_created",
      "alert.rule_changed",
      "alert.rule_removed",
    ]);
  });

  test.each<[string, object]>([
    ["has no threshold beyond what the metric can be", { ...loaded, metric: "disk", threshold: 101 }],
    ["does not recover beyond its threshold", { ...loaded, recover: { threshold: 9, minutes: 1 } }],
    ["holds for an hour at most", { ...loaded, holdMinutes: 61 }],
    ["watches for a metric that hosts measure", { ...loaded, metric: "luck" }],
    ["counts more than one return", { kind: "flapping", times: 1, minutes: 5 }],
  ])("%s", async (_, watch) => {
    const { owner } = await start();
    expect((await make(owner, { name: "odd", watch })).code).toBe("request.malformed");
  });

  test("is one of a hundred at most", async () => {
    const { owner } = await start({ store: memoryStore() });
    for (let n = 0; n < alertLimits.rules; n += 1) {
      expect((await make(owner, { name: `rule ${n}`, watch: loaded })).status).toBe(201);
    }
    expect((await make(owner, { name: "one more", watch: loaded })).code).toBe("alert.too_many_rules");
  });
});

test("a viewer reads alerts, rules and silences, and changes none", async () => {
  const { server, owner } = await start();
  const viewer = await newVisitor(server, owner, "viewer");
  for (const path of ["/api/alerts", "/api/alert-rules", "/api/alert-silences"]) {
    expect((await viewer.call("GET", path)).status).toBe(200);
  }
  expect((await make(viewer, { name: "mine", watch: loaded })).code).toBe("auth.scope_missing");
  expect((await change(viewer, "disk", { enabled: false }, '"0"')).code).toBe("auth.scope_missing");
});

describe("a silence", () => {
  async function startAway() {
    const { server, owner } = await start();
    const nodes = await seedFleet(server.store, { nodes: 3, seed: 1, now: server.clock.now() });
    server.clock.advance(minute);
    await server.tick();
    return {
      server,
      owner,
      id: nodes.find(({ revokedAt, facts }) => revokedAt === undefined && facts !== undefined)?.id ?? "",
    };
  }
  const silence = (owner: Visitor, body: object, key = "one") =>
    owner.call<AlertSilence>("POST", "/api/alert-silences", { body, headers: { "Idempotency-Key": key } });
  const alertsOf = async (owner: Visitor, id: string) =>
    (await owner.call<{ items: Alert[] }>("GET", `/api/alerts?node=${id}`)).body.items;
  const until = (server: AuthServer, ms: number) => new Date(server.clock.now() + ms).toISOString();

  test("lets an alert open and be shown, and its entries say that nobody is to be told", async () => {
    const { server, owner, id } = await startAway();
    const end = until(server, 30 * minute);
    const body = { appliesTo: { nodes: [id] }, rule: "offline", until: end, reason: "a new disk" };
    const made = await silence(owner, body);
    expect([made.status, made.body]).toMatchObject([201, { ...body, by: expect.any(String) }]);
    expect((await silence(owner, body)).body.id).toBe(made.body.id);
    server.clock.advance(2 * minute);
    await server.tick();
    expect(await alertsOf(owner, id)).toMatchObject([{ rule: "offline", silencedUntil: end }]);
    const opened = (await server.audit()).filter(({ action }) => action === "alert.opened");
    const told = opened.flatMap(({ detail }) => detail?.["alerts"] as { node: string; silenced: boolean }[]);
    expect(told.filter(({ silenced }) => silenced).map(({ node }) => node)).toEqual([id]);
    expect(told.length).toBeGreaterThan(1);
  });

  test("is of one rule, or of every one", async () => {
    const { server, owner, id } = await startAway();
    server.clock.advance(2 * minute);
    await server.tick();
    const body = { appliesTo: { all: true }, until: until(server, minute), reason: "a test" };
    await silence(owner, { ...body, rule: "disk" });
    expect((await alertsOf(owner, id))[0]?.silencedUntil).toBeNull();
    await silence(owner, body, "two");
    expect((await alertsOf(owner, id))[0]?.silencedUntil).toBe(body.until);
    // At its time it is over, also before the server has looked again.
    server.clock.advance(minute);
    expect((await alertsOf(owner, id))[0]?.silencedUntil).toBeNull();
  });

  test("ends by itself at its time, and at once when somebody ends it", async () => {
    const { server, owner } = await startAway();
    const short = await silence(owner, { appliesTo: { all: true }, until: until(server, minute), reason: "short" });
    const long = await silence(owner, { appliesTo: { all: true }, until: until(server, day), reason: "long" }, "two");
    const list = async () => {
      const { body } = await owner.call<{ items: AlertSilence[] }>("GET", "/api/alert-silences");
      return body.items.map(({ reason }) => reason);
    };
    server.clock.advance(minute);
    expect(await list()).toEqual(["long"]);
    await server.tick();
    expect((await owner.call("DELETE", `/api/alert-silences/${short.body.id}`)).code).toBe("alert.silence_unknown");
    expect((await owner.call("DELETE", `/api/alert-silences/${long.body.id}`)).status).toBe(204);
    expect(await list()).toEqual([]);
    const ended = (await server.audit()).filter(({ action }) => action === "alert.silence_ended");
    expect(ended.map(({ actor, detail }) => [actor === "system", detail?.["expired"]])).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  test.each<[string, number, string]>([
    ["that has ended already", -1, "alert.silence_time"],
    ["of more than 30 days", 30 * day + 1, "alert.silence_time"],
  ])("%s is refused", async (_, ms, code) => {
    const { server, owner } = await start();
    const body = { appliesTo: { all: true }, until: until(server, ms), reason: "a test" };
    expect((await silence(owner, body)).code).toBe(code);
  });

  test("of a rule that there is none of is refused, and so is one too many", async () => {
    const { server, owner } = await start({ store: memoryStore() });
    const body = { appliesTo: { all: true }, until: until(server, day), reason: "a test" };
    expect((await silence(owner, { ...body, rule: `rule_${"0".repeat(26)}` })).code).toBe("alert.rule_unknown");
    for (let n = 0; n < alertLimits.silences; n += 1) {
      expect((await silence(owner, body, `key-${n}`)).status).toBe(201);
    }
    expect((await silence(owner, body, "one-more")).code).toBe("alert.too_many_silences");
  });
});

test("no more than ten thousand alerts are open; the others are counted and said", async () => {
  const { server, owner } = await start({ store: memoryStore() });
  const nodes = await seedFleet(server.store, { nodes: 130, seed: 1, now: server.clock.now() });
  const alive = nodes.filter(({ revokedAt, facts }) => revokedAt === undefined && facts !== undefined).length;
  for (let n = 0; n < 99; n += 1) {
    await make(owner, { name: `away ${n}`, watch: { kind: "offline", holdMinutes: 1 } });
  }
  server.clock.advance(minute);
  await server.tick();
  server.clock.advance(2 * minute);
  await server.tick();
  const { body } = await owner.call<{ open: number; unkept: number }>("GET", "/api/alerts?limit=1");
  expect(body).toMatchObject({ open: alertLimits.open, unkept: alive * 100 - alertLimits.open });
  expect(server.logLines.filter((line) => line.includes("too many alerts are open"))).toHaveLength(1);
  await server.tick();
  const again = await owner.call<{ open: number; unkept: number }>("GET", "/api/alerts?limit=1");
  expect(again.body).toMatchObject({ open: body.open, unkept: body.unkept });
});

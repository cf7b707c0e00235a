import { setImmediate as turn } from "node:timers/promises";
import type { RequestListener } from "node:http";
import type { Node, NodePlace, PlaceLookup } from "@gatehouse/contract/routes";
import { memoryTelemetry } from "@gatehouse/store/telemetry";
import { describe, expect, onTestFinished, test } from "vitest";
import { PretendHost } from "../../../tests/support/pretend-host.ts";
import { type AuthServer, startAuthServer, tokenVisitor } from "./auth-server.ts";
import { connectPretend, enrolPretend } from "./pretend-agent.ts";
import { makeAuthority, startTlsPeer } from "../../../tests/support/tls-peer.ts";
import type { Visitor } from "./visitor.ts";

const service = "geo.example.test";
const authority = makeAuthority();
const certificate = authority.issue([service]);
const berlin = { latitude: 52.52, longitude: 13.405, label: "Berlin, Germany" };
const inBerlin: RequestListener = (_, response) =>
  void response.end(JSON.stringify({ success: true, ...berlin, city: "Berlin", country: "Germany" }));

interface Places {
  readonly items: readonly NodePlace[];
  readonly nextCursor: string | null;
  readonly lookup: PlaceLookup;
}

/** A server whose lookup service is a real HTTPS host of the test. */
async function start(answer: RequestListener = inBerlin, more: Parameters<typeof startAuthServer>[0] = {}) {
  const peer = await startTlsPeer(certificate, answer);
  onTestFinished(() => peer[Symbol.asyncDispose]());
  const network = { ca: authority.ca, connect: peer.connect, resolve: () => Promise.resolve(["10.0.0.5"]) };
  const template = `https://${service}/{ip}?token=secret`;
  const server = await startAuthServer({ withoutRates: true, geo: { template, network }, ...more });
  const owner = await server.visitor().signIn();
  return { server, owner, peer };
}

/** A host that says it has these addresses. */
async function newHost(server: AuthServer, owner: Visitor, ...addresses: string[]): Promise<string> {
  const host = await enrolPretend(server, owner, new PretendHost());
  const agent = await connectPretend(server, host);
  agent.send({ ...host.facts(), addresses });
  await expect.poll(async () => (await nodeOf(owner, host.nodeId)).facts?.addresses).toEqual(addresses);
  return host.nodeId;
}

async function nodeOf(owner: Visitor, id: string): Promise<Node> {
  return (await owner.call<Node>("GET", `/api/nodes/${id}`)).body;
}

async function read(visitor: Visitor, query = ""): Promise<Places> {
  const { status, body } = await visitor.call<Places>("GET", `/api/map/places${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function whyOf(visitor: Visitor, id: string) {
  return (await read(visitor)).items.find(({ node }) => node === id)?.why;
}

async function setPlace(owner: Visitor, id: string, place: object | null) {
  const { headers } = await owner.call("GET", `/api/nodes/${id}`);
  const ifMatch = { "If-Match": headers.get("etag") ?? "" };
  return owner.call<Node>("PATCH", `/api/nodes/${id}`, { body: { place }, headers: ifMatch });
}

/** More of them than a question would need to leave. */
async function turns() {
  for (let n = 0; n < 50; n += 1) await turn();
}

/** Lets the distance between two questions pass. */
async function passOn(server: AuthServer, ms = 1_000) {
  server.clock.advance(ms);
  server.runTimers();
}

describe("a place by hand", () => {
  test("is set, shown, on the record and taken away again", async () => {
    const { server, owner } = await start();
    const id = await newHost(server, owner);
    const set = await setPlace(owner, id, { ...berlin, label: null });
    expect([set.status, set.body.place]).toEqual([200, { ...berlin, label: null }]);
    expect((await read(owner)).items).toEqual([
      { node: id, place: { ...berlin, label: null, from: "hand" }, why: null },
    ]);
    expect((await setPlace(owner, id, null)).body.place).toBeNull();
    expect((await read(owner)).items[0]?.place).toBeNull();
    const changes = (await server.audit()).filter(({ action }) => action === "node.changed");
    expect(changes.map(({ detail }) => detail)).toMatchObject([
      { from: { place: null }, to: { place: { ...berlin, label: null } } },
      { from: { place: { ...berlin, label: null } }, to: { place: null } },
    ]);
  });

  test("needs no lookup: with lookups off it is shown, and with them on nobody is asked for its address", async () => {
    const off = await start(inBerlin, { geo: { template: "off", network: {} } });
    const placed = await newHost(off.server, off.owner, "8.8.8.8");
    const other = await newHost(off.server, off.owner, "8.8.4.4");
    await setPlace(off.owner, placed, berlin);
    const shown = await read(off.owner);
    expect(shown.lookup).toEqual({ service: null, waiting: 0, trouble: null, answeredAt: null });
    expect(new Map(shown.items.map(({ node, why }) => [node, why]))).toEqual(
      new Map([
        [placed, null],
        [other, "off"],
      ]),
    );
    const on = await start();
    const id = await newHost(on.server, on.owner, "8.8.8.8");
    await setPlace(on.owner, id, berlin);
    for (let n = 0; n < 3; n += 1) {
      expect((await read(on.owner)).lookup.waiting).toBe(0);
      await passOn(on.server);
    }
    await turns();
    expect([off.peer.connections(), on.peer.connections()]).toEqual([0, 0]);
  });

  test.each([
    { latitude: 90.1, longitude: 0, label: null },
    { latitude: 0, longitude: -180.1, label: null },
    { latitude: "0", longitude: 0, label: null },
    { latitude: 0, longitude: 0, label: "a\u202eb" },
    { latitude: 0, longitude: 0, label: "x".repeat(61) },
    { latitude: 0, longitude: 0 },
    { latitude: 0, longitude: 0, label: null, more: 1 },
    [0, 0],
  ])("that is %j is refused", async (place) => {
    const { server, owner } = await start();
    const id = await newHost(server, owner);
    expect((await setPlace(owner, id, place)).status).toBe(400);
  });
});

describe("a lookup", () => {
  test("happens because somebody looks, one address after the other, and the place is shown to the next who looks", async () => {
    const { server, owner, peer } = await start();
    const one = await newHost(server, owner, "10.0.0.9", "8.8.8.8");
    const two = await newHost(server, owner, "2606:4700:0:0::1111");
    const twin = await newHost(server, owner, "8.8.8.8");
    await passOn(server, 60_000);
    await turns();
    expect(peer.connections()).toBe(0);
    const first = await read(owner);
    expect(first.lookup).toMatchObject({ service, waiting: 2, trouble: null, answeredAt: null });
    expect(first.items.map(({ why }) => why)).toEqual(["waiting", "waiting", "waiting"]);
    await expect.poll(() => peer.seen.length).toBe(1);
    await expect.poll(async () => (await read(owner)).lookup.waiting).toBe(1);
    expect(peer.seen).toHaveLength(1);
    await passOn(server);
    await expect.poll(async () => (await read(owner)).lookup.waiting).toBe(0);
    const { items, lookup } = await read(owner);
    expect(items.map(({ node }) => node)).toEqual([one, two, twin].toSorted());
    for (const { place } of items) expect(place).toEqual({ ...berlin, from: "lookup" });
    expect(lookup.answeredAt).not.toBeNull();
    expect(peer.seen.map(({ url }) => url).toSorted()).toEqual([
      "/2606%3A4700%3A%3A1111?token=secret",
      "/8.8.8.8?token=secret",
    ]);
    expect(peer.seen[0]?.headers).toEqual({
      accept: "application/json",
      "accept-encoding": "identity",
      connection: "close",
      host: service,
      "user-agent": "Gatehouse",
    });
    expect(new Set(peer.asked)).toEqual(new Set(["10.0.0.5:443"]));
  });

  test("is never made for an address inside, and why there is no place is said", async () => {
    const { server, owner, peer } = await start();
    const inside = await newHost(server, owner, "10.0.0.9", "fd00::9", "::ffff:8.8.8.8", "169.254.169.254");
    const silent = (await enrolPretend(server, owner, new PretendHost())).nodeId;
    expect([await whyOf(owner, inside), await whyOf(owner, silent)]).toEqual(["private", "unheard"]);
    expect([(await read(owner)).lookup.waiting, peer.connections()]).toEqual([0, 0]);
  });

  test("is not repeated after a restart, and the word of another service does not count", async () => {
    const telemetry = memoryTelemetry();
    const before = await start(inBerlin, { telemetry });
    await newHost(before.server, before.owner, "8.8.8.8");
    await read(before.owner);
    await expect.poll(async () => (await read(before.owner)).items[0]?.place?.from).toBe("lookup");
    const network = { ca: authority.ca, connect: before.peer.connect, resolve: () => Promise.resolve(["10.0.0.5"]) };
    const again = await start(inBerlin, {
      telemetry,
      geo: { template: `https://${service}/v2/{ip}`, network },
    });
    await newHost(again.server, again.owner, "8.8.8.8");
    expect((await read(again.owner)).items[0]?.place?.from).toBe("lookup");
    expect(before.peer.seen).toHaveLength(1);
    const other = await start(inBerlin, { telemetry, geo: { template: "https://other.example.test/{ip}", network } });
    await newHost(other.server, other.owner, "8.8.8.8");
    expect((await read(other.owner)).items[0]).toMatchObject({ place: null, why: "waiting" });
  });

  test("that is not answered as it should be is told in our words, and the address is left alone", async () => {
    const { server, owner, peer } = await start(
      (_, response) =>
        void response.writeHead(429, { "retry-after": "120" }).end(JSON.stringify({ ...berlin, city: "canary" })),
    );
    const id = await newHost(server, owner, "8.8.8.8");
    await read(owner);
    await expect.poll(() => whyOf(owner, id)).toBe("failed");
    const { text } = await owner.call("GET", "/api/map/places");
    expect(JSON.parse(text)).toMatchObject({
      lookup: { service, waiting: 0, trouble: "it was asked too often (status 429)", answeredAt: null },
    });
    expect(text).not.toMatch(/canary|secret|8\.8\.8\.8/);
    await passOn(server, 119_000);
    await read(owner);
    await turns();
    expect(peer.seen).toHaveLength(1);
    await passOn(server);
    await expect.poll(() => peer.seen.length).toBe(2);
    expect(server.logLines.join("")).not.toMatch(/canary|secret|8\.8\.8\.8/);
  });
});

test("places are pages of the nodes that one may see, and what waits of other nodes is not told", async () => {
  const { server, owner } = await start((_, response) => void setTimeout(() => response.end("{}"), 60_000).unref());
  const ids: string[] = [];
  for (const address of ["8.8.8.8", "1.1.1.1", "9.9.9.9"]) ids.push(await newHost(server, owner, address));
  const sorted = ids.toSorted();
  const first = await read(owner, "?limit=2");
  expect([first.items.map(({ node }) => node), first.nextCursor]).toEqual([sorted.slice(0, 2), sorted[1]]);
  const second = await read(owner, `?limit=2&cursor=${first.nextCursor}`);
  expect([second.items.map(({ node }) => node), second.nextCursor]).toEqual([sorted.slice(2), null]);
  expect(second.lookup.waiting).toBe(3);
  const { visitor: limited } = await tokenVisitor(server, owner, { scopes: ["node:read"], nodes: [ids[1]] });
  const theirs = await read(limited);
  expect(theirs.items.map(({ node }) => node)).toEqual([ids[1]]);
  expect(theirs.lookup.waiting).toBe(1);
  const { visitor: without } = await tokenVisitor(server, owner, { scopes: ["log:read"] });
  expect((await without.call("GET", "/api/map/places")).status).toBe(403);
});

test("questions and failures are counted, without a label for anybody", async () => {
  const token = "m".repeat(40);
  const { server, owner } = await start((_, response) => void response.end("no"), { metricsToken: token });
  await newHost(server, owner, "8.8.8.8");
  await read(owner);
  await expect.poll(async () => (await read(owner)).lookup.trouble).toBe("its answer is not one about a place");
  const scraper = server.visitor();
  scraper.bearer = token;
  const { text } = await scraper.call("GET", "/api/metrics");
  expect(text).toMatch(/^gatehouse_geo_lookups_total 1$/m);
  expect(text).toMatch(/^gatehouse_geo_failures_total 1$/m);
});

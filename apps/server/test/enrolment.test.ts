import { expect, test } from "vitest";
import { idempotencyKind } from "@gatehouse/contract/records";
import type { NewEnrolment, Node } from "@gatehouse/contract/routes";
import { PretendHost } from "../../../tests/support/pretend-host.ts";
import { type AuthServer, newVisitor, startAuthServer, tokenVisitor } from "./auth-server.ts";
import type { Visitor } from "./visitor.ts";

async function start() {
  const server = await startAuthServer({ withoutRates: true });
  return { server, owner: await server.visitor().signIn() };
}

async function codesFor(owner: Visitor, body: object = {}): Promise<NewEnrolment[]> {
  const made = await owner.call<{ items: NewEnrolment[] }>("POST", "/api/nodes/enrolments", { body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.items;
}

async function codeFor(owner: Visitor, body: object = {}): Promise<NewEnrolment> {
  const [made] = await codesFor(owner, body);
  return made as NewEnrolment;
}

function enrol(server: AuthServer, body: object) {
  return server.visitor().call<{ message: string; code?: string }>("POST", "/api/agent/enrol", { body });
}

const nodesOf = async (owner: Visitor) => (await owner.call<{ items: Node[] }>("GET", "/api/nodes")).body.items;

test("a code enrols one host, which is called after its key and verifies the server's answer", async () => {
  const { server, owner } = await start();
  const { code, id } = await codeFor(owner, { tags: ["web"], name: "Front" });
  const host = new PretendHost("web-1.example");
  const sent = host.enrolment(code);
  const answer = await enrol(server, sent);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(host.readAnswer(code, sent, answer.body)).toMatchObject({
    nodeId: host.nodeId,
    body: { name: "Front", tags: ["web"] },
  });
  expect(await nodesOf(owner)).toMatchObject([
    { id: host.nodeId, name: "Front", tags: ["web"], hostname: "web-1.example", state: "unknown", facts: null },
  ]);
  const listed = await owner.call<{ items: object[] }>("GET", "/api/nodes/enrolments");
  expect(listed.body.items).toMatchObject([{ id, state: "used", nodeId: host.nodeId }]);
  const entry = (await server.audit()).find(({ action }) => action === "node.enrolled");
  expect(entry).toMatchObject({
    actor: `node:${host.nodeId}`,
    subject: `node/${host.nodeId}`,
    detail: { enrolment: id },
  });
});

test("twice with one key makes codes once, and shows none of them twice", async () => {
  const { server, owner } = await start();
  const headers = { "Idempotency-Key": "rack-4" };
  type Made = { items?: NewEnrolment[]; code?: string; ids?: string[] };
  const make = (by: Visitor, body: object) => by.call<Made>("POST", "/api/nodes/enrolments", { body, headers });
  const answers = await Promise.all([make(owner, { count: 3 }), make(owner, { count: 3 })]);
  const made = answers.find(({ status }) => status === 201)?.body.items ?? [];
  const repeated = answers.find(({ status }) => status !== 201);
  expect([repeated?.status, repeated?.code]).toEqual([409, "enrolment.already_made"]);
  expect(repeated?.body.ids).toEqual(made.map(({ id }) => id));
  expect(JSON.stringify(repeated?.body)).not.toContain("ghe1_");
  expect((await make(owner, { count: 2 })).code).toBe("request.key_reused");
  const kept = JSON.stringify((await server.store.list(idempotencyKind)).map(({ value }) => value));
  for (const { id, code } of made) {
    expect(kept).toContain(id);
    expect(kept).not.toContain(code);
  }
  const listed = await owner.call<{ items: object[] }>("GET", "/api/nodes/enrolments");
  expect(listed.body.items).toHaveLength(3);
  server.clock.advance(24 * 60 * 60_000);
  await owner.signIn();
  expect((await make(owner, { count: 3 })).status, "a key is forgotten after a day").toBe(201);
});

test("two hundred hosts that use one code at once give one node; the others hear that it was used", async () => {
  const { server, owner } = await start();
  const { code } = await codeFor(owner);
  const hosts = Array.from({ length: 200 }, (_, index) => new PretendHost(`host-${index}`));
  const answers = await Promise.all(hosts.map((host) => enrol(server, host.enrolment(code))));
  const counted = new Map<string, number>();
  for (const { status, body } of answers) {
    const said = `${status} ${body.code ?? ""}`.trim();
    counted.set(said, (counted.get(said) ?? 0) + 1);
  }
  expect(Object.fromEntries(counted)).toEqual({ "200": 1, "409 enrol.code_used": 199 });
  expect(await nodesOf(owner)).toHaveLength(1);
});

test("the same host is answered again, because its first answer may have been lost", async () => {
  const { server, owner } = await start();
  const { code } = await codeFor(owner);
  const host = new PretendHost();
  for (let again = 0; again < 3; again += 1) {
    const sent = host.enrolment(code);
    const answer = await enrol(server, sent);
    expect(host.readAnswer(code, sent, answer.body)?.nodeId).toBe(host.nodeId);
  }
  expect((await server.actions()).filter((action) => action === "node.enrolled")).toHaveLength(1);
});

test("a host that enrols again with a fresh code keeps its name, its tags and its id", async () => {
  const { server, owner } = await start();
  const host = new PretendHost();
  await enrol(server, host.enrolment((await codeFor(owner, { name: "Front", tags: ["web"] })).code));
  host.channelKey = new PretendHost().channelKey;
  const answer = await enrol(server, host.enrolment((await codeFor(owner, { tags: ["eu"] })).code));
  expect(answer.status).toBe(200);
  expect(await nodesOf(owner)).toMatchObject([{ id: host.nodeId, name: "Front", tags: ["web", "eu"] }]);
});

const stranger = new PretendHost("stranger");

test.each([
  ["signed by another host key", "403 enrol.possession", (host, code) => host.enrolment(code, { signer: stranger })],
  [
    "with a MAC of another secret",
    "403 enrol.mac",
    (host, code) => host.enrolment(code, { secret: new Uint8Array(16) }),
  ],
  ["with a MAC of zeros", "403 enrol.mac", (host, code) => host.enrolment(code, { mac: new Uint8Array(32) })],
  [
    "with one key as both",
    "400 enrol.same_key",
    (host, code) => {
      host.channelKey = host.hostKey;
      return host.enrolment(code);
    },
  ],
  ["cut short", "400 enrol.malformed", (host, code) => ({ message: host.enrolment(code).message.slice(0, -8) })],
  ["that is no message", "400 enrol.malformed", () => ({ message: "AAAA" })],
] satisfies [string, string, (host: PretendHost, code: string) => object][])(
  "an enrolment %s is refused as %s, and the code stays good",
  async (_, refusal, made) => {
    const { server, owner } = await start();
    const { code } = await codeFor(owner);
    const { status, body } = await enrol(server, made(new PretendHost(), code));
    expect(`${status} ${body.code}`).toBe(refusal);
    expect((await enrol(server, new PretendHost().enrolment(code))).status).toBe(200);
  },
);

test("a code ends with its time, and a revoked one is unknown", async () => {
  const { server, owner } = await start();
  const [late, revoked] = await codesFor(owner, { count: 2, expiresInSeconds: 120 });
  const gone = await owner.call("DELETE", `/api/nodes/enrolments/${revoked?.id}`);
  expect(gone.status).toBe(204);
  const refused = await enrol(server, new PretendHost().enrolment(revoked?.code ?? ""));
  expect(refused.body.code).toBe("enrol.code_unknown");
  server.clock.advance(121_000);
  const expired = await enrol(server, new PretendHost().enrolment(late?.code ?? ""));
  expect(expired.body.code).toBe("enrol.code_expired");
  const listed = await owner.call<{ items: { state: string }[] }>("GET", "/api/nodes/enrolments");
  expect(listed.body.items.map(({ state }) => state).toSorted()).toEqual(["expired", "revoked"]);
});

test("a code of another server is refused before anything is spent", async () => {
  const [one, other] = [await start(), await start()];
  const { code } = await codeFor(other.owner);
  const refused = await enrol(one.server, new PretendHost().enrolment(code));
  expect(refused.body.code).toBe("enrol.server_key");
});

test("a hundred codes are made at once, no more are open than a thousand, and ended ones make room", async () => {
  const { server, owner } = await start();
  for (let round = 0; round < 10; round += 1) expect(await codesFor(owner, { count: 100 })).toHaveLength(100);
  const full = await owner.call<{ code: string }>("POST", "/api/nodes/enrolments", { body: {} });
  expect([full.status, full.body.code]).toEqual([409, "enrolment.too_many"]);
  expect((await owner.call("POST", "/api/nodes/enrolments", { body: { count: 101 } })).status).toBe(400);
  // Past their end, and a day: the next request clears some of them away.
  server.clock.advance(15 * 60_000 + 1);
  await owner.call("POST", "/api/auth/step-up", { body: { password: "seven lazy otters" } });
  expect(await codesFor(owner)).toHaveLength(1);
});

test("neither a token nor a person without node:admin makes a code", async () => {
  const { server, owner } = await start();
  const { visitor } = await tokenVisitor(server, owner, { scopes: ["node:admin"] });
  const byToken = await visitor.call<{ code: string }>("POST", "/api/nodes/enrolments", { body: {} });
  expect(byToken.body.code).toBe("auth.session_required");
  const viewer = await newVisitor(server, owner, "viewer");
  const byViewer = await viewer.call<{ code: string }>("POST", "/api/nodes/enrolments", { body: {} });
  expect(byViewer.body.code).toBe("auth.scope_missing");
});

test("a code is in its one answer and nowhere else: not in records, not in the log", async () => {
  const { server, owner } = await start();
  const { code } = await codeFor(owner);
  await enrol(server, new PretendHost().enrolment(code));
  const kept = JSON.stringify([await server.audit(), server.logLines, await nodesOf(owner)]);
  expect(kept).not.toContain(code.slice(40, 80));
});

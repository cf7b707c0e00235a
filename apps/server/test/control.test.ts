import { agentSubprotocol, controlPath, readChallenge } from "@gatehouse/channel";
import type { Node } from "@gatehouse/contract/routes";
import { newPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { describe, expect, test } from "vitest";
import { PretendHost } from "../../../tests/support/pretend-host.ts";
import { type AuthServer, startAuthServer, tokenVisitor } from "./auth-server.ts";
import { readStream } from "./event-reader.ts";
import { handshake, said, tryHandshake } from "./planted-sockets.ts";
import { connectPretend, enrolPretend, PretendAgent } from "./pretend-agent.ts";
import type { Visitor } from "./visitor.ts";

async function start() {
  const server = await startAuthServer({ withoutRates: true });
  const owner = await server.visitor().signIn();
  const host = await enrolPretend(server, owner, new PretendHost());
  return { server, owner, host };
}

async function nodeOf(owner: Visitor, id: string): Promise<Node> {
  return (await owner.call<Node>("GET", `/api/nodes/${id}`)).body;
}

async function refusal(server: AuthServer, hello: (challenge: Uint8Array) => Uint8Array | string) {
  const agent = await PretendAgent.dial(server.port);
  agent.send(hello((await agent.next()) as Buffer));
  return (await agent.closed).reason;
}

describe("the hello", () => {
  test("of an enrolled host is welcomed, and the node is online from its address", async () => {
    const { server, owner, host } = await start();
    const agent = await connectPretend(server, host);
    agent.send({ t: "beat", seq: 1, at: server.clock.now() + 1_500, values: [] });
    expect(await agent.nextFrame()).toEqual({ t: "beat-ack", seq: 1 });
    const node = await nodeOf(owner, host.nodeId);
    expect(node).toMatchObject({ state: "online", address: "127.0.0.1", clockSkewMs: 1_500, rival: null });
  });

  test("is asked for with a fresh challenge each time, in which the server names its key and its versions", async () => {
    const { server } = await start();
    const asked = await Promise.all(
      [0, 1].map(async () => readChallenge((await (await PretendAgent.dial(server.port)).next()) as Buffer)),
    );
    expect(asked[0]?.nonce).not.toEqual(asked[1]?.nonce);
    expect(asked[0]).toMatchObject({ versions: { min: 1, max: 1 }, server: asked[1]?.server });
  });

  test.each([
    ["of a host that never enrolled", "hello.revoked", (_host, challenge) => new PretendHost().hello(challenge)],
    [
      "in the name of another node",
      "hello.node_signature",
      (host, challenge) => new PretendHost().hello(challenge, { nodeId: host.nodeId }),
    ],
    [
      "signed by another key",
      "hello.node_signature",
      (host, challenge) => host.hello(challenge, { signer: newPrivateKey() }),
    ],
    [
      "to another challenge",
      "hello.node_signature",
      (host, challenge) => host.hello(challenge, { serverNonce: new Uint8Array(32) }),
    ],
    ["for another path", "hello.node_signature", (host, challenge) => host.hello(challenge, { path: "/api/x" })],
    [
      "to another server",
      "hello.node_signature",
      (host, challenge) => host.hello(challenge, { server: new Uint8Array(32) }),
    ],
    [
      "to versions that somebody lowered on the way",
      "hello.node_signature",
      (host, challenge) => host.hello(challenge, { versions: { min: 0, max: 1 } }),
    ],
    [
      "in a version that is not spoken here",
      "hello.version",
      (host, challenge) => host.hello(challenge, { chosen: 2 }),
    ],
    [
      "with a body that is not closed",
      "hello.malformed",
      (host, challenge) => host.hello(challenge, { body: {} as never }),
    ],
    ["with a byte behind", "hello.malformed", (host, challenge) => new Uint8Array([...host.hello(challenge), 0])],
    ["larger than any", "hello.malformed", () => new Uint8Array(16 * 1024 + 1)],
    ["as a text", "frame.illegal_now", () => '{"t":"beat"}'],
  ] satisfies [string, string, (host: PretendHost, challenge: Uint8Array) => Uint8Array | string][])(
    "%s is refused as %s",
    async (_, code, made) => {
      const { server, owner, host } = await start();
      expect(await refusal(server, (challenge) => made(host, challenge))).toBe(code);
      expect((await nodeOf(owner, host.nodeId)).state).not.toBe("online");
    },
  );

  test("that was recorded is worth nothing to another connection", async () => {
    const { server, host } = await start();
    const first = await PretendAgent.dial(server.port);
    const hello = host.hello((await first.next()) as Buffer);
    first.send(hello);
    await first.next();
    expect(await refusal(server, () => hello)).toBe("hello.node_signature");
  });

  test("needs the subprotocol, and neither Origin nor Cookie", async () => {
    const { server } = await start();
    const ask = async (headers: Record<string, string | undefined>) =>
      said(
        await tryHandshake(
          server.port,
          handshake(controlPath, { "Sec-WebSocket-Protocol": agentSubprotocol, ...headers }),
        ),
      );
    expect(await ask({})).toBe("101");
    expect(await ask({ Origin: "http://localhost" })).toMatch(/^403/);
    expect(await ask({ Cookie: "gatehouse=x" })).toMatch(/^403/);
    expect(await ask({ "Sec-WebSocket-Protocol": undefined })).toMatch(/^400/);
  });
});

describe("a connection that is open", () => {
  test.each([
    ["a frame of the server's", '{"t":"beat-ack","seq":1}', "frame.unknown"],
    ["an unknown type", '{"t":"task"}', "frame.unknown"],
    ["rubbish", "{", "frame.malformed"],
    ["bytes", Uint8Array.of(1, 2, 3), "frame.malformed"],
    ["too large a beat", `{"t":"beat","seq":1,"at":1,"values":[]}${" ".repeat(1_024)}`, "frame.too_large"],
    ["a kind of message that nobody takes yet", '{"t":"out","seq":1,"kind":"log","body":{}}', "frame.unknown"],
    ["an event that is none", '{"t":"out","seq":1,"kind":"event","body":{"what":"x"}}', "frame.malformed"],
  ])("is closed for %s", async (_, sent, code) => {
    const { server, host } = await start();
    const agent = await connectPretend(server, host);
    agent.send(sent);
    expect(await agent.closed).toEqual({ code: 4400, reason: code });
  });

  test("ignores what says that it may be ignored, up to the rate", async () => {
    const { server, host } = await start();
    const agent = await connectPretend(server, host);
    for (let sent = 1; sent < 200; sent += 1) agent.send('{"t":"~later"}');
    agent.send({ t: "beat", seq: 7, at: 1, values: [] });
    expect(await agent.nextFrame()).toEqual({ t: "beat-ack", seq: 7 });
    agent.send('{"t":"~later"}');
    expect(await agent.closed).toEqual({ code: 4400, reason: "frame.rate" });
  });

  test("is closed after three missed beats, and the node is offline since then", async () => {
    const { server, owner, host } = await start();
    const agent = await connectPretend(server, host);
    server.clock.advance(35_000);
    server.sweep();
    expect((await nodeOf(owner, host.nodeId)).state).toBe("online");
    server.clock.advance(1);
    server.sweep();
    expect(await agent.closed).toEqual({ code: 4408, reason: "channel.silent" });
    const node = await nodeOf(owner, host.nodeId);
    expect(node).toMatchObject({ state: "offline", since: new Date(server.clock.now()).toISOString() });
  });

  test("gives way to a newer one of the same identity; when that goes on, both addresses are told", async () => {
    const { server, owner, host } = await start();
    const first = await connectPretend(server, host);
    const second = await connectPretend(server, host);
    expect(await first.closed).toEqual({ code: 4409, reason: "channel.replaced" });
    expect((await nodeOf(owner, host.nodeId)).rival).toBeNull();
    await connectPretend(server, host);
    expect((await second.closed).reason).toBe("channel.replaced");
    expect(await nodeOf(owner, host.nodeId)).toMatchObject({ state: "online", rival: { address: "127.0.0.1" } });
  });

  test("ends before the revocation of its node is answered, and its identity is refused from then on", async () => {
    const { server, owner, host } = await start();
    const agent = await connectPretend(server, host);
    const { headers } = await owner.call("GET", `/api/nodes/${host.nodeId}`);
    const revoked = await owner.call<Node>("PATCH", `/api/nodes/${host.nodeId}`, {
      body: { revoked: true },
      headers: { "If-Match": headers.get("etag") ?? "" },
    });
    expect(revoked.body).toMatchObject({ state: "revoked", address: null });
    expect(await agent.closed).toEqual({ code: 4403, reason: "hello.revoked" });
    expect(await refusal(server, (challenge) => host.hello(challenge))).toBe("hello.revoked");
  });

  test("ends before the removal of its node is answered", async () => {
    const { server, owner, host } = await start();
    const agent = await connectPretend(server, host);
    const { headers } = await owner.call("GET", `/api/nodes/${host.nodeId}`);
    const removed = await owner.call("DELETE", `/api/nodes/${host.nodeId}`, {
      headers: { "If-Match": headers.get("etag") ?? "" },
    });
    expect(removed.status).toBe(204);
    expect((await agent.closed).reason).toBe("hello.revoked");
    expect((await owner.call("GET", `/api/nodes/${host.nodeId}`)).status).toBe(404);
  });
});

describe("facts", () => {
  test("are kept when they differ, and stand on the record as a change", async () => {
    const { server, owner, host } = await start();
    const agent = await connectPretend(server, host);
    agent.send(host.facts());
    await expect.poll(async () => (await nodeOf(owner, host.nodeId)).facts?.os).toBe("Debian GNU/Linux 13 (trixie)");
    agent.send(host.facts());
    agent.send(host.facts({ kernel: "6.19.0" }));
    await expect.poll(async () => (await nodeOf(owner, host.nodeId)).facts?.kernel).toBe("6.19.0");
    const entries = (await server.audit()).filter(({ action }) => action === "node.facts_changed");
    expect(entries.map(({ detail }) => detail?.["changed"])).toEqual([expect.arrayContaining(["os"]), ["kernel"]]);
    const asked = "/api/nodes?ceiling=monitor&version=0.2.1-alpha.1&state=online&architecture=";
    const idsFor = async (architecture: string) =>
      (await owner.call<{ items: Node[] }>("GET", `${asked}${architecture}`)).body.items.map(({ id }) => id);
    expect([await idsFor("x64"), await idsFor("arm64")]).toEqual([[host.nodeId], []]);
  });

  test("say whose word the host takes: its ceiling's mode, and its trust file by its digest", async () => {
    const { server, owner, host } = await start();
    const agent = await connectPretend(server, host);
    const told = async () => {
      const { facts } = await nodeOf(owner, host.nodeId);
      return facts && [facts.accepts, facts.trustDigest];
    };
    agent.send(host.facts());
    await expect.poll(told).toEqual(["none", null]);
    const ceiling = { accepts: "signed", allow: ["agent.update"], level: "managed", schema: 1 };
    agent.send(host.facts({ mode: "managed" }, ceiling, new Uint8Array(32).fill(0xab)));
    await expect.poll(told).toEqual(["signed", "ab".repeat(32)]);
    agent.send(host.facts({ mode: "managed" }, { ...ceiling, accepts: "server" }));
    await expect.poll(told).toEqual(["server", null]);
  });

  test.each([
    ["of another host", (host: PretendHost) => new PretendHost(host.hostname).facts()],
    [
      "with a ceiling whose digest is not the signed one",
      (host: PretendHost) => ({ ...host.facts(), ceiling: "e30K" }),
    ],
    ["with a ceiling that has no byte form", (host: PretendHost) => ({ ...host.facts(), ceiling: "e30" })],
    ["whose signed message is no facts", (host: PretendHost) => ({ ...host.facts(), signed: "AAAA" })],
  ])("%s are refused and change nothing", async (_, made) => {
    const { server, owner, host } = await start();
    const agent = await connectPretend(server, host);
    agent.send(made(host));
    expect((await agent.closed).reason).toBe("frame.malformed");
    expect((await nodeOf(owner, host.nodeId)).facts).toBeNull();
  });

  test("come at most six times a minute over one connection", async () => {
    const { server, host } = await start();
    const agent = await connectPretend(server, host);
    for (let sent = 0; sent < 7; sent += 1) agent.send(host.facts());
    expect((await agent.closed).reason).toBe("frame.rate");
  });
});

const started = (seq: number) =>
  ({ t: "out", seq, kind: "event", body: { what: "agent.started", at: 1_800_000_000_000 } }) as const;
const eventsOf = async (server: AuthServer) =>
  (await server.audit()).filter(({ action }) => action === "node.event").map(({ detail }) => detail?.["seq"]);

describe("what a host tells of itself", () => {
  test("is acknowledged when it is on the record, and comes again without effect", async () => {
    const { server, host } = await start();
    const first = await connectPretend(server, host, { acked: 0, last: 2 });
    for (const seq of [1, 2, 1]) first.send(started(seq));
    expect([await first.nextFrame(), await first.nextFrame(), await first.nextFrame()]).toEqual([
      { t: "out-ack", seq: 1 },
      { t: "out-ack", seq: 2 },
      { t: "out-ack", seq: 2 },
    ]);
    expect(await eventsOf(server)).toEqual([1, 2]);
    const second = await connectPretend(server, host, { acked: 1, last: 3 });
    expect(second.welcome.acked).toBe(2);
    for (const seq of [2, 3]) second.send(started(seq));
    expect([await second.nextFrame(), await second.nextFrame()]).toEqual([
      { t: "out-ack", seq: 2 },
      { t: "out-ack", seq: 3 },
    ]);
    expect(await eventsOf(server)).toEqual([1, 2, 3]);
  });

  test("may begin later, where the host has dropped some, and may begin anew, where it lost its outbox", async () => {
    const { server, host } = await start();
    const later = await connectPretend(server, host, { acked: 0, last: 9 });
    later.send(started(7));
    expect(await later.nextFrame()).toEqual({ t: "out-ack", seq: 7 });
    const anew = await connectPretend(server, host, { acked: 0, last: 1 });
    expect(anew.welcome.acked).toBe(0);
    anew.send(started(1));
    expect(await anew.nextFrame()).toEqual({ t: "out-ack", seq: 1 });
    expect(await eventsOf(server)).toEqual([7, 1]);
  });

  test("may leave numbers out, and is refused in too great a number at once", async () => {
    const { server, host } = await start();
    const gap = await connectPretend(server, host, { acked: 0, last: 9 });
    for (const seq of [1, 3]) gap.send(started(seq));
    expect([await gap.nextFrame(), await gap.nextFrame()]).toEqual([
      { t: "out-ack", seq: 1 },
      { t: "out-ack", seq: 3 },
    ]);
    const flood = await connectPretend(server, host, { acked: 3, last: 99 });
    for (let seq = 4; seq < 90; seq += 1) flood.send(started(seq));
    expect((await flood.closed).reason).toBe("frame.rate");
  });
});

test("who may see a node is told that it came and went, together and without a place in the log", async () => {
  const { server, owner, host } = await start();
  const other = await enrolPretend(server, owner, new PretendHost("other"));
  const { visitor } = await tokenVisitor(server, owner, { scopes: ["node:read"], nodes: [host.nodeId] });
  const streams = await Promise.all([owner, visitor].map((one) => readStream(server.url, one)));
  const agents = await Promise.all([host, other].map((one) => connectPretend(server, one)));
  server.sweep();
  expect(await streams[0]?.next("presence")).toEqual({ nodes: expect.arrayContaining([host.nodeId, other.nodeId]) });
  expect(await streams[1]?.next("presence")).toEqual({ nodes: [host.nodeId] });
  agents[0]?.socket.close();
  await expect.poll(async () => (await nodeOf(owner, host.nodeId)).state).toBe("offline");
  server.sweep();
  expect(await streams[1]?.next("presence")).toEqual({ nodes: [host.nodeId] });
});

describe("the channel key", () => {
  test("is changed by the host key; the old one counts until the new one has been used", async () => {
    const { server, owner, host } = await start();
    const agent = await connectPretend(server, host);
    const [old, next] = [host.channelKey, newPrivateKey()];
    server.clock.advance(1_000);
    agent.send(host.channelKeyChange(next, server.clock.now()));
    await expect
      .poll(async () => (await server.actions()).filter((one) => one === "node.channel_key_changed").length)
      .toBe(1);
    await connectPretend(server, host);
    host.channelKey = next;
    await connectPretend(server, host);
    await expect
      .poll(async () => (await server.actions()).filter((one) => one === "node.channel_key_changed").length)
      .toBe(2);
    host.channelKey = old;
    expect(await refusal(server, (challenge) => host.hello(challenge))).toBe("hello.node_signature");
    expect((await nodeOf(owner, host.nodeId)).state).toBe("online");
  });

  test.each([
    [
      "signed by another key",
      (host: PretendHost, now: number) => host.channelKeyChange(newPrivateKey(), now, newPrivateKey()),
      "frame.malformed",
    ],
    [
      "from before the newest",
      (host: PretendHost, now: number) => host.channelKeyChange(newPrivateKey(), now - 1),
      "frame.malformed",
    ],
    [
      "from the future",
      (host: PretendHost, now: number) => host.channelKeyChange(newPrivateKey(), now + 600_000),
      "frame.malformed",
    ],
    [
      "to the host key itself",
      (host: PretendHost, now: number) => host.channelKeyChange(host.hostKey, now + 1),
      "enrol.same_key",
    ],
  ])("a change %s is refused", async (_, made, code) => {
    const { server, host } = await start();
    const agent = await connectPretend(server, host);
    agent.send(made(host, server.clock.now()));
    expect((await agent.closed).reason).toBe(code);
  });
});

test("after a start nodes are unknown until agents have had their window, and only then offline", async () => {
  const { server, owner, host } = await start();
  expect((await nodeOf(owner, host.nodeId)).state).toBe("unknown");
  server.clock.advance(20_000);
  expect(await nodeOf(owner, host.nodeId)).toMatchObject({ state: "offline", since: null, lastSeenAt: null });
});

test("a token that is limited to a node sees that node alone", async () => {
  const { server, owner, host } = await start();
  const other = await enrolPretend(server, owner, new PretendHost("other"));
  const { visitor } = await tokenVisitor(server, owner, { scopes: ["node:read"], nodes: [host.nodeId] });
  const page = await visitor.call<{ items: Node[] }>("GET", "/api/nodes");
  expect(page.body.items.map(({ id }) => id)).toEqual([host.nodeId]);
  expect((await visitor.call("GET", `/api/nodes/${other.nodeId}`)).status).toBe(403);
  expect(publicKeyBytes(other.hostKey)).not.toEqual(publicKeyBytes(host.hostKey));
});

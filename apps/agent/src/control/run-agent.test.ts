import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  agentSubprotocol,
  challengeFrame,
  channelLimits,
  controlFrames,
  decodeBase64url,
  readControlFrame,
  readFacts,
} from "@gatehouse/channel";
import { importPrivateKey, nodeIdOf, publicKeyBytes } from "@gatehouse/keys";
import { splitSigned } from "@gatehouse/keys/frame";
import { expect, onTestFinished, test } from "vitest";
import {
  greet,
  honestChallenge,
  type Peer,
  readHello,
  startControlServer,
  welcomeTo,
} from "../../test/fake-control-server.ts";
import { firstMs, startAgentAt } from "../../test/running-agent.ts";
import { readHelperCounters } from "../helper/helper-counters.ts";
import { factsMs } from "./control-step.ts";
import { openRunAgent } from "./run-agent.ts";

const otherKey = importPrivateKey(new Uint8Array(32).fill(9));
const beatMs = 5_000;
const frames = (peer: Peer) =>
  peer.received.flatMap((each) => (typeof each === "string" ? [readControlFrame(each, "agent")] : []));

/** An agent that is connected with an honest server. */
async function connected(after: (peer: Peer) => unknown = () => undefined) {
  const server = await startControlServer(async (peer) => {
    await greet(peer);
    await after(peer);
  });
  const agent = await startAgentAt(server.url);
  agent.timers.end(firstMs);
  await expect.poll(() => agent.lines).toContain("connected");
  return { ...agent, ...server, peer: server.peers[0] as Peer };
}

test("an agent says who it is, without origin or cookie, and tells the server what its host signs", async () => {
  const { peer, identity, notes, host, url } = await connected();
  expect(peer.headers).toMatchObject({ "sec-websocket-protocol": agentSubprotocol });
  expect(peer.headers).not.toHaveProperty("cookie");
  expect(peer.headers).not.toHaveProperty("origin");
  await expect.poll(() => frames(peer).length).toBe(1);
  const [facts] = frames(peer);
  if (facts?.t !== "facts") throw new Error("no facts");
  const signed = splitSigned(decodeBase64url(facts.signed) as Uint8Array, [64]);
  expect(signed && readFacts(signed.framed)).toMatchObject({
    nodeId: nodeIdOf(identity.publicKey),
    number: 1,
    facts: { agentVersion: "0.1.7", mode: "monitor" },
  });
  expect(facts.addresses).toEqual(["192.0.2.1"]);
  expect(notes.map(({ state }) => state)).toEqual(["waiting", "connecting", "connecting", "connecting", "connected"]);
  expect(notes.at(-1)).toMatchObject({ server: url, nextTryAt: null, lastClose: null });
  expect(readdirSync(host.paths.networkState)).toEqual(["channel.key"]);
});

test("the hello names the node, the server and the authority that was dialled, and a nonce that is never the same", async () => {
  const hellos: Awaited<ReturnType<typeof greet>>[] = [];
  const server = await startControlServer(async (peer) => {
    hellos.push(await greet(peer));
    peer.socket.close(1012, "");
  });
  const { timers, identity } = await startAgentAt(server.url);
  timers.end(firstMs);
  await expect.poll(() => timers.end(10_000)).toBe(1);
  await expect.poll(() => hellos.length).toBe(2);
  expect(hellos[0]).toMatchObject({
    nodeId: identity.nodeId,
    authority: new URL(server.url).host,
    server: honestChallenge.server,
    body: { agentVersion: "0.1.7", cursor: { acked: 0, last: 0 }, features: [] },
  });
  expect(hellos[0]?.agentNonce).not.toEqual(hellos[1]?.agentNonce);
});

const refusals: [string, (peer: Peer) => unknown, string, number][] = [
  [
    "has another key",
    (peer) => peer.socket.send(challengeFrame({ ...honestChallenge, server: publicKeyBytes(otherKey) })),
    "hello.server_key",
    0,
  ],
  ["cannot sign", (peer) => greet(peer, { key: otherKey }), "hello.server_signature", 1],
  [
    "plays a welcome for another hello",
    async (peer) => {
      peer.socket.send(challengeFrame(honestChallenge));
      await readHello(peer);
      peer.socket.send(welcomeTo(new Uint8Array(10)));
    },
    "hello.server_signature",
    1,
  ],
  [
    "speaks only versions that this agent does not have",
    (peer) => peer.socket.send(challengeFrame({ ...honestChallenge, versions: { min: 2, max: 9 } })),
    "hello.version",
    0,
  ],
  ["sends a text before the challenge", (peer) => peer.socket.send('{"t":"beat-ack","seq":1}'), "frame.illegal_now", 0],
  [
    "sends a task before the welcome",
    async (peer) => {
      peer.socket.send(challengeFrame(honestChallenge));
      await readHello(peer);
      peer.socket.send('{"t":"task"}');
    },
    "frame.illegal_now",
    1,
  ],
  [
    "asks twice",
    async (peer) => {
      peer.socket.send(challengeFrame(honestChallenge));
      await readHello(peer);
      peer.socket.send(challengeFrame(honestChallenge));
    },
    "hello.order",
    1,
  ],
  ["begins with a welcome", (peer) => peer.socket.send(welcomeTo(new Uint8Array(10))), "hello.order", 0],
  ["begins with rubbish", (peer) => peer.socket.send(new Uint8Array(100)), "hello.malformed", 0],
  [
    "begins with more than a message of the hello",
    (peer) => peer.socket.send(new Uint8Array(channelLimits.helloBytes + 1)),
    "hello.malformed",
    0,
  ],
  ["wants a beat of 0", (peer) => greet(peer, { welcome: { beatSeconds: 0 } }), "hello.malformed", 1],
  ["wants a window of 10^9", (peer) => greet(peer, { welcome: { windowSeconds: 10 ** 9 } }), "hello.malformed", 1],
  ["adds a field to its welcome", (peer) => greet(peer, { welcome: { ceiling: {} } }), "hello.malformed", 1],
  ["acknowledges what was never sent", (peer) => greet(peer, { welcome: { acked: 1 } }), "hello.malformed", 1],
];

test.each(refusals)("a server that %s is refused by name, and logged", async (_, serve, code, sent) => {
  const server = await startControlServer(serve);
  const { timers, lines, notes } = await startAgentAt(server.url);
  timers.end(firstMs);
  await expect.poll(() => lines).toEqual([expect.stringMatching(new RegExp(`^not connected: ${code}: `))]);
  const [peer] = server.peers as [Peer];
  expect((await peer.closed).reason).toBe(code);
  expect(peer.received).toHaveLength(sent);
  await expect.poll(() => notes.at(-1)).toMatchObject({ state: "waiting", lastClose: { code } });
  expect(timers.running()).toEqual([1_000]);
});

test("a server that stalls after the challenge is left after ten seconds", async () => {
  const server = await startControlServer((peer) => peer.socket.send(challengeFrame(honestChallenge)));
  const { timers, lines } = await startAgentAt(server.url);
  timers.end(firstMs);
  await expect.poll(() => server.peers[0]?.received.length).toBe(1);
  expect(timers.end(channelLimits.helloMs)).toBe(1);
  expect(lines).toEqual([expect.stringMatching(/^not connected: hello\.timeout/)]);
});

test("a server whose clock is ten years ahead is taken, and the difference is said", async () => {
  const server = await startControlServer((peer) => greet(peer, { welcome: { serverTime: Date.UTC(2036, 0, 1) } }));
  const { timers, lines } = await startAgentAt(server.url);
  timers.end(firstMs);
  await expect.poll(() => lines).toEqual(["connected", expect.stringMatching(/^the server's clock is 315532800 seco/)]);
});

test("an extension is no part of the protocol", async () => {
  const server = await startControlServer((peer) => greet(peer), { deflate: true });
  const { timers, lines } = await startAgentAt(server.url);
  timers.end(firstMs);
  await expect.poll(() => lines).toEqual([expect.stringMatching(/^not connected: hello\.order/)]);
});

test.each([
  [301, "hello.redirect"],
  [307, "hello.redirect"],
  [503, "unreachable"],
])("a server that answers %i in place of a connection is told apart: %s", async (status, code) => {
  let asked = 0;
  const http = createServer((_, response) => {
    asked += 1;
    response.writeHead(status, { location: "http://127.0.0.1:9/" }).end();
  });
  http.on("upgrade", (_, socket) => {
    asked += 1;
    socket.end(`HTTP/1.1 ${status} X\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n`);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void http.close());
  const { timers, lines } = await startAgentAt(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  timers.end(firstMs);
  await expect.poll(() => lines).toEqual([expect.stringMatching(new RegExp(`^not connected: ${code}: `))]);
  expect(asked).toBe(2);
});

const hostile: [string, (peer: Peer) => unknown, string][] = [
  ["a type that nobody knows", ({ socket }) => socket.send('{"t":"task"}'), "frame.unknown"],
  [
    "a type that only agents send",
    ({ socket }) => socket.send('{"t":"out","seq":1,"kind":"event","body":1}'),
    "frame.unknown",
  ],
  ["a wake that was not offered", ({ socket }) => socket.send('{"t":"wake","session":"","grant":""}'), "frame.unknown"],
  ["a key twice", ({ socket }) => socket.send('{"t":"beat-ack","seq":0,"seq":0}'), "frame.malformed"],
  ["a key that reaches a prototype", ({ socket }) => socket.send('{"__proto__":1,"t":"beat-ack"}'), "frame.malformed"],
  ["a number above 2^53", ({ socket }) => socket.send('{"t":"beat-ack","seq":9007199254740993}'), "frame.malformed"],
  ["half a character", ({ socket }) => socket.send('{"t":"bye","code":"\\ud800"}'), "frame.malformed"],
  ["depth without end", ({ socket }) => socket.send("[".repeat(60_000)), "frame.malformed"],
  ["a byte too many", ({ socket }) => socket.send('{"t":"out-ack","seq":0}'.padEnd(129)), "frame.too_large"],
  ["more than any frame", ({ socket }) => socket.send(" ".repeat(channelLimits.frameBytes + 1)), "frame.too_large"],
  ["bytes that nobody asked for", ({ socket }) => socket.send(new Uint8Array(20)), "frame.malformed"],
  ["an acknowledgement of beats to come", ({ socket }) => socket.send('{"t":"beat-ack","seq":1}'), "frame.malformed"],
  ["an acknowledgement beyond the outbox", ({ socket }) => socket.send('{"t":"out-ack","seq":1}'), "frame.malformed"],
  [
    "what may be ignored, without end",
    ({ socket }) => {
      for (let count = 0; count <= channelLimits.framesPerSecond; count += 1) socket.send('{"t":"~later"}');
    },
    "frame.rate",
  ],
];

test.each(hostile)("after the welcome %s ends the connection by name", async (_, send, code) => {
  const { lines, peer } = await connected(send);
  await expect.poll(() => lines[1]).toMatch(new RegExp(`^not connected: ${code}: `));
  expect((await peer.closed).reason).toBe(code);
});

test("beats come at their pace, and three that nobody acknowledges end the connection", async () => {
  const { peer, timers, lines } = await connected();
  const beats = () => frames(peer).filter((each) => each?.t === "beat");
  expect(timers.end(beatMs)).toBe(1);
  await expect.poll(() => beats().length).toBe(1);
  peer.socket.send('{"t":"beat-ack","seq":1}');
  await peer.next();
  for (let count = 2; count <= 4; count += 1) {
    // The acknowledgement of the first is there before the second: it came over the same connection.
    await expect.poll(() => timers.end(10_000)).toBe(1);
    await expect.poll(() => beats().length).toBe(count);
  }
  expect(beats()[3]).toEqual({ t: "beat", seq: 4, at: Date.UTC(2026, 0, 1), values: [] });
  timers.end(10_000);
  await expect.poll(() => lines[1]).toMatch(/^not connected: channel\.silent/);
  expect((await peer.closed).code).toBe(4408);
});

test("a connection that stood and ended is tried again within the server's window, and its name is kept", async () => {
  const server = await startControlServer(async (peer) => {
    await greet(peer, { welcome: { windowSeconds: 100 } });
    peer.socket.close(1012, "");
  });
  const { timers, notes, host } = await startAgentAt(server.url);
  timers.end(firstMs);
  await expect.poll(() => timers.running()).toEqual([50_000]);
  expect(notes.at(-1)).toMatchObject({ state: "waiting", nextTryAt: Date.UTC(2026, 0, 1) + 50_000 });
  await expect.poll(() => readdirSync(host.paths.networkState).includes("window.json")).toBe(true);
  expect(readFileSync(`${host.paths.networkState}/window.json`, "utf8")).toContain('"windowSeconds":100');
});

test("a goodbye is a pause of an hour at most, and the log says so", async () => {
  const bye = (retryAfter: number) =>
    connected(({ socket }) => socket.send(JSON.stringify({ t: "bye", code: "x\u001b", retryAfter })));
  const good = await bye(3_600);
  await expect.poll(() => good.timers.running()).toEqual([3_610_000]);
  expect(good.lines[1]).toMatch(/^not connected: bye: .* 3610 seconds$/);
  const bad = await bye(3_601);
  await expect.poll(() => bad.lines[1]).toMatch(/^not connected: frame\.malformed/);
});

test("a node that was revoked asks again between every ten minutes and every hour", async () => {
  const server = await startControlServer((peer) => peer.socket.close(4403, "hello.revoked"));
  const { timers, notes } = await startAgentAt(server.url);
  timers.end(firstMs);
  await expect.poll(() => timers.running()).toEqual([35 * 60_000]);
  await expect.poll(() => notes.at(-1)).toMatchObject({ state: "waiting", lastClose: { code: "hello.revoked" } });
});

test("a copied disk opens no connection at all", async () => {
  const server = await startControlServer(() => undefined);
  const { timers, notes, host } = await startAgentAt(server.url);
  host.setMachine("b");
  timers.end(firstMs);
  await expect.poll(() => notes.at(-1)).toMatchObject({ state: "waiting", lastClose: { code: "identity.cloned" } });
  expect(timers.running()).toEqual([35 * 60_000]);
  expect(server.peers).toEqual([]);
});

test("without its helper an agent does not speak, and says why", async () => {
  const server = await startControlServer(() => undefined);
  const { timers, lines, helper } = await startAgentAt(server.url);
  helper.served.close();
  await helper.served.done;
  timers.end(firstMs);
  await expect.poll(() => lines).toEqual([expect.stringMatching(/^not connected: local\.unavailable/)]);
  expect(server.peers).toEqual([]);
});

test("facts are told again when they have changed, and not otherwise", async () => {
  const { peer, timers, helper } = await connected();
  const told = () => frames(peer).flatMap((each) => (each?.t === "facts" ? [each.addresses] : []));
  await expect.poll(told).toEqual([["192.0.2.1"]]);
  helper.clock.advance(factsMs);
  expect(timers.end(factsMs)).toBe(1);
  await expect.poll(() => readHelperCounters(helper.deps).facts).toBe(2);
  Object.assign(helper.deps, { readAddresses: () => ["192.0.2.2"] });
  expect(timers.end(factsMs)).toBe(1);
  await expect.poll(() => told().at(-1)).toEqual(["192.0.2.2"]);
  expect(told()).toHaveLength(2);
});

test("another ceiling is told with the next beat", async () => {
  const { peer, timers, helper, host } = await connected();
  const modes = () =>
    frames(peer).flatMap((each) => {
      if (each?.t !== "facts") return [];
      const signed = splitSigned(decodeBase64url(each.signed) as Uint8Array, [64]);
      return [signed && readFacts(signed.framed)?.facts.mode];
    });
  await expect.poll(modes).toEqual(["monitor"]);
  Object.assign(helper.deps, { readCeiling: () => ({ level: "managed" }) });
  writeFileSync(host.paths.ceiling, "{}");
  expect(timers.end(beatMs)).toBe(1);
  await expect.poll(modes).toEqual(["monitor", "managed"]);
});

test("an agent that is told to stop says goodbye", async () => {
  const { peer, stop, done, notes, timers } = await connected();
  stop.abort();
  await done;
  await peer.closed;
  expect(frames(peer).at(-1)).toEqual({ t: "bye", code: "agent.stopping" });
  expect(notes.at(-1)).toMatchObject({ state: "stopped", connectedAt: null, nextTryAt: null });
  expect(timers.running()).toEqual([]);
});

test("a host that is not enrolled ends the program in place of trying", async () => {
  const { host, stop, done } = await startAgentAt("http://127.0.0.1:9");
  stop.abort();
  await done;
  rmSync(host.paths.server);
  const run = openRunAgent({ user: host.owner } as never);
  await expect(run({ paths: host.paths } as never)).rejects.toThrow(/^host\.not_enrolled/);
});

/** Everything that stands on the host, but what the agent itself keeps. */
function hostState(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((each) =>
    statSync(`${root}/${each}`).isFile(),
  );
  const outside = files.filter((each) => !each.startsWith("var/lib/gatehouse/counters"));
  return Object.fromEntries(outside.sort().map((each) => [each, readFileSync(`${root}/${each}`, "utf8")]));
}

const anyFrame: (string | Uint8Array)[] = [
  ...Object.keys(controlFrames).flatMap((t) => [
    JSON.stringify({ t }),
    JSON.stringify({ t, seq: 0, at: 0, values: [], signed: "", code: "x", session: "", grant: "", body: {} }),
  ]),
  ...[
    "task",
    "trust",
    "statement",
    "want-state",
    "want-log",
    "out-rewind",
    "checked",
    "settle",
    "head",
    "pull-end",
  ].map((t) => JSON.stringify({ t, path: "/etc/passwd", body: { ceiling: { level: "managed" } } })),
  "",
  "rubbish",
  "{}",
  new Uint8Array(0),
  new Uint8Array(1_000).fill(255),
];

test.each(["before", "after"] as const)(
  "whatever a server sends %s its welcome, no file of the host changes",
  async (when) => {
    let sent = 0;
    const server = await startControlServer(async (peer) => {
      if (when === "after") await greet(peer);
      peer.socket.send(anyFrame[sent % anyFrame.length] as string);
      sent += 1;
      if (peer.socket.readyState === peer.socket.OPEN) setImmediate(() => peer.socket.close(1000));
    });
    const { host, timers, lines } = await startAgentAt(server.url);
    const untouched = hostState(host.root);
    timers.end(firstMs);
    const refused = () => lines.filter((each) => each.startsWith("not connected")).length;
    for (let count = 1; count <= anyFrame.length; count += 1) {
      await expect.poll(refused, { interval: 2 }).toBe(count);
      expect(timers.endWhere(() => true)).toBe(1);
    }
    await expect.poll(() => sent).toBeGreaterThan(anyFrame.length);
    expect(hostState(host.root)).toEqual(untouched);
  },
);
